"use strict";
const cards = [...document.querySelectorAll(".card")];
const filters = document.getElementById("filters");
const judge = document.getElementById("judge");

function chosen() {
  return Number(document.body.dataset.judge);
}

function filter() {
  const { text, condition, state } = Object.fromEntries(new FormData(filters));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const card of cards) {
    const fits =
      (!condition || card.dataset.condition === condition) &&
      (!state || card.dataset.states.split(" ")[chosen()] === state) &&
      words.every((word) => card.dataset.text.includes(word));
    card.hidden = !fits;
    shown += fits;
  }
  document.getElementById("shown").textContent = `${shown} of ${cards.length}`;
  document.getElementById("none").hidden = shown > 0;
}

function choose(number) {
  document.body.dataset.judge = number;
  for (const part of document.querySelectorAll("[data-of]")) part.hidden = part.dataset.of !== String(number);
  filter();
}

function seek(video, t) {
  const go = () => {
    video.currentTime = t;
    video.play().catch(() => {}); // a browser may refuse to play by itself; the picture is shown all the same
  };
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) return go();
  video.addEventListener("loadedmetadata", go, { once: true });
  video.preload = "auto";
  video.load();
}

// The browser's controls lie over the picture, so they come when somebody reaches for the film.
for (const screen of document.querySelectorAll(".screen:has(video)")) {
  const video = screen.querySelector("video");
  const show = () => {
    video.controls = true;
    screen.classList.add("live");
  };
  video.controls = false;
  for (const kind of ["pointerenter", "focusin", "touchstart"]) screen.addEventListener(kind, show, { passive: true });
  video.addEventListener("play", show);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-t]");
  const video = button?.closest(".card").querySelector("video");
  if (video) seek(video, Number(button.dataset.t));
});
document.addEventListener("play", (event) => {
  for (const other of document.querySelectorAll("video")) if (other !== event.target) other.pause();
}, true);
// A link from a table leads to its card, even if the filters hide it.
window.addEventListener("hashchange", () => {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!card?.hidden) return;
  filters.reset();
  filter();
  card.scrollIntoView();
});
filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
judge?.addEventListener("change", () => choose(judge.value));
choose(0);
