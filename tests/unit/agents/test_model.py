import re
from base64 import b64decode
from contextlib import closing
from io import BytesIO

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from playsuite.agents.model import model, view_of
from playsuite.core.actions import Click, Move, ParseStatus, Press, Wait
from playsuite.core.errors import AgentError, ConfigError
from playsuite.core.plugins import load
from playsuite.core.points import Space
from playsuite.core.protocols import AgentSetup, Endpoint, Observation
from playsuite.core.records import Model, PictureRule, Sampling, Step, Turn

TINY = Model(name="tiny")


def setup_for(server, **more):
    usual = {"model": TINY, "options": {"timeout_seconds": "5"}}
    return AgentSetup(endpoint=Endpoint(server.base_url, patience_seconds=0.2), **(usual | more))


def play(setup, game, seen, history=()):
    with closing(model(setup)) as player:
        return player.act(game, seen, history)


def parts(server, request=0):
    return server.requests[request]["messages"][-1]["content"]


def text(server, request=0):
    return "".join(part.get("text", "") for part in parts(server, request))


def pictures(server, request=0):
    urls = [part["image_url"]["url"] for part in parts(server, request) if part["type"] == "image_url"]
    return [b64decode(url.removeprefix("data:image/jpeg;base64,")) for url in urls]


def sent_picture(server):
    return pictures(server)[-1]


def test_a_model_is_shown_the_frame_and_its_answer_is_read(serve, behave, game, seen):
    said = "Observation: a yellow pot\nReasoning: it is in the shade\nAction: press left"
    with serve(behave.say(said, prompt_tokens=7)) as server:
        turn = play(setup_for(server, seed=3), game, seen)
    assert turn.actions == (Press(("left",)),)
    assert (turn.raw, turn.status) == (said, ParseStatus.OK)
    assert (turn.observation, turn.reasoning) == ("a yellow pot", "it is in the shade")
    assert turn.usage.prompt_tokens == 7
    request = server.requests[0]
    assert (request["model"], request["temperature"], request["max_tokens"], request["seed"]) == ("tiny", 0.5, 512, 3)
    shown = np.asarray(Image.open(BytesIO(sent_picture(server))))
    assert shown.shape == seen.frame.shape
    assert np.abs(shown.astype(int) - seen.frame).mean() < 2


def test_a_large_frame_is_made_smaller_and_its_coordinates_translated_back(serve, behave, game):
    seen = Observation(np.zeros((600, 800, 3), np.uint8), t=0.0, index=0)
    with serve(behave.say("Action: click:100,75; move:399,299; left")) as server:
        turn = play(setup_for(server, frame_width=400, frame_height=400), game, seen)
    assert Image.open(BytesIO(sent_picture(server))).size == (400, 300)
    assert turn.actions == (Click(200, 150), Move(798, 598), Press(("left",)))
    assert "400 x 300 pixels" in text(server)


def test_the_past_is_told_in_the_coordinates_of_the_picture(serve, behave, game):
    seen = Observation(np.zeros((600, 800, 3), np.uint8), t=3.0, index=1)
    past = [Step(0, 0.0, 0, Turn((Click(200, 150),), observation="a menu"))]
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server, frame_width=400), game, seen, past)
    assert "Observation: a menu Action: click:100,75" in text(server)


def test_a_small_frame_stays_as_it_is(serve, behave, game, seen):
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server), game, seen)
    assert Image.open(BytesIO(sent_picture(server))).size == (160, 120)


def test_the_exact_bytes_are_kept_on_request(serve, behave, game, seen, tmp_path):
    with (
        serve(behave.say("Action: wait")) as server,
        closing(model(setup_for(server, images=tmp_path / "seen"))) as agent,
    ):
        agent.act(game, seen, ())
        agent.act(game, seen, ())
    kept = sorted((tmp_path / "seen").iterdir())
    assert [path.name for path in kept] == ["000000.jpg", "000001.jpg"]
    assert kept[0].read_bytes() == sent_picture(server)


def test_a_frame_is_sent_in_the_size_its_model_thinks_in(serve, behave, game):
    """Pixels in the answer are pixels of what was sent, and each axis has its own scale."""
    seen = Observation(np.zeros((600, 800, 3), np.uint8), t=0.0, index=0)
    row = replace(TINY, adapter="standard", picture=PictureRule(factor=28))
    with serve(behave.say("Action: click:406,294")) as server:
        turn = play(setup_for(server, model=row), game, seen)
    assert Image.open(BytesIO(sent_picture(server))).size == (812, 588)
    assert turn.actions == (Click(400, 300),)


def test_a_row_can_say_otherwise_what_coordinates_mean(serve, behave, game):
    seen = Observation(np.zeros((600, 800, 3), np.uint8), t=0.0, index=0)
    row = replace(TINY, space=Space.REL1000, y_first=True)
    with serve(behave.say("Action: click:250,500")) as server:
        assert play(setup_for(server, model=row), game, seen).actions == (Click(400, 150),)
    assert "thousandths" in text(server)


def test_fields_have_the_names_their_server_knows(serve, behave, game, seen):
    row = replace(
        TINY,
        served_name="grand-1",
        sampling=Sampling(temperature=0.1, max_tokens=64, stop=("END",)),
        fields={"max_tokens": "max_completion_tokens", "seed": ""},
        request={"reasoning_effort": "low"},
    )
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server, model=row), game, seen)
    sent = {name: value for name, value in server.requests[0].items() if name != "messages"}
    assert sent == {
        "model": "grand-1",
        "temperature": 0.1,
        "max_completion_tokens": 64,
        "stop": ["END"],
        "reasoning_effort": "low",
    }


def test_answers_are_forced_into_their_form_only_on_request(serve, behave, game, seen):
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server), game, seen)
        play(setup_for(server, structured=True), game, seen)
    assert "structured_outputs" not in server.requests[0]
    assert re.fullmatch(
        server.requests[1]["structured_outputs"]["regex"],
        "Observation: a pot\nReasoning: it is dark\nAction: hold:right+space:0.5",
    )


def test_past_pictures_are_shown_on_request_and_only_while_remembered(serve, behave, game):
    frames = [np.full((60, 80, 3), 40 * n, np.uint8) for n in range(4)]
    looks = [Observation(frame, t=3.0 * n, index=n) for n, frame in enumerate(frames)]
    steps = [Step(n, 3.0 * n, n, Turn((Wait(),), observation=f"look {n}")) for n in range(4)]
    with serve(behave.say("Action: wait")) as server, closing(model(setup_for(server, history_images=True))) as agent:
        for n, look in enumerate(looks):
            agent.act(game, look, steps[max(0, n - 2) : n])
    shown = [[Image.open(BytesIO(jpeg)).getpixel((9, 9))[0] for jpeg in pictures(server, n)] for n in range(4)]
    assert shown == [[0], [0, 40], [0, 40, 80], [40, 80, 120]]


def test_without_the_request_the_past_is_text_alone(serve, behave, game, seen):
    past = [Step(0, 0.0, 0, Turn((Wait(),), observation="a pot"))]
    with serve(behave.say("Action: wait")) as server, closing(model(setup_for(server))) as agent:
        agent.act(game, seen, ())
        agent.act(game, seen, past)
    assert len(pictures(server, 1)) == 1
    assert "Observation: a pot" in text(server, 1)


def test_a_view_holds_all_that_turns_an_answer_into_pixels():
    view = view_of(TINY, load("adapters", "qwen3"), (1920, 1080), max_width=1280, max_height=720)
    assert (view.frame, view.picture, view.space) == ((1920, 1080), (1280, 720), Space.REL1000)


def test_a_bad_answer_costs_only_its_turn(serve, behave, game, seen):
    with serve(behave.say("Action: levitate")) as server:
        turn = play(setup_for(server), game, seen)
    assert turn.actions == (Wait(),)
    assert turn.status is ParseStatus.INVALID
    assert "levitate" in turn.notes[0]


def test_an_answer_at_the_token_limit_is_truncated(serve, behave, game, seen):
    with serve(behave.say("Observation: I see a", finish_reason="length")) as server:
        assert play(setup_for(server), game, seen).status is ParseStatus.TRUNCATED


def test_a_dead_server_is_an_agent_error(serve, behave, game, seen):
    with serve(behave.die) as server, pytest.raises(AgentError):
        play(setup_for(server), game, seen)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"endpoint": Endpoint()}, "--base-url"),
        ({"model": None}, "--model"),
        ({"model": Model(name="tiny", adapter="standart")}, "Did you mean 'standard'"),
        ({"model": Model(name="tiny", adapter="uitars"), "structured": True}, "structured"),
        ({"prompt": "few-shot"}, "Did you mean 'few_shot'"),
        ({"options": {"timeout_seconds": "soon"}}, "number of seconds"),
        ({"endpoint": Endpoint("localhost")}, "no address"),
    ],
)
def test_a_wrong_setup_is_refused_before_anything_starts(change, message, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    right = AgentSetup(endpoint=Endpoint("http://127.0.0.1:1/v1"), model=TINY)
    with pytest.raises(ConfigError, match=message):
        model(replace(right, **change))
