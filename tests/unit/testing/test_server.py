import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playsuite.agents.client import Client
from playsuite.core.actions import ParseStatus
from playsuite.core.errors import AgentError, ConfigError
from playsuite.core.grammar import parse
from playsuite.core.points import View
from playsuite.core.records import Step, Turn
from playsuite.core.wait import until
from playsuite.testing.server import (
    ENDLESS_THOUGHT,
    GARBAGE,
    H100_8B,
    MEGABYTE,
    RANDOM_BYTES,
    Drop,
    LatencyModel,
    Reply,
    Say,
    fake_server,
)
from playsuite.testing.server.latency import Engine
from playsuite.testing.server.scripts import in_order, in_turn, random_actions, read_error, recorded, with_errors

QUESTION = [{"role": "user", "content": "what now?"}]
QUICK = LatencyModel(prefill_seconds=0.01, tick_seconds=0.002, seconds_per_sequence=0.0001, largest_batch=8)
SEEN = View.of_frame(240, 240)


def ask(server, **fields):
    with closing(Client(server.base_url, timeout_seconds=20, patience_seconds=0.2)) as client:
        return client.complete(QUESTION, **fields)


def ask_at_once(server, times, **fields):
    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(lambda _: ask(server, **fields), range(times)))


def run(engine):
    """Let an engine work until nothing is left; return what became of each request, and when all was done."""
    now, timings = 0.0, {}
    while engine.running or engine.waiting:
        tick = engine.tick(at=now)
        now += tick.seconds
        timings |= tick.finished
    return timings, now


# The engine, in simulated time


def test_one_request_takes_its_prompt_and_a_tick_a_token():
    engine = Engine(QUICK)
    ticket = engine.submit(100, at=0.0)
    timings, end = run(engine)
    assert end == pytest.approx(0.01 + 100 * 0.0021)
    assert timings[ticket].first_token_seconds == pytest.approx(0.01 + 0.0021)
    assert timings[ticket].generation_seconds == pytest.approx(99 * 0.0021)


def test_requests_at_once_form_one_batch_and_take_as_long_as_the_model_says():
    engine = Engine(QUICK)
    for _ in range(8):
        engine.submit(100, at=0.0)
    timings, end = run(engine)
    assert {timing.batch for timing in timings.values()} == {8}
    assert end == pytest.approx(8 * 0.01 + 100 * (0.002 + 8 * 0.0001))
    assert 8 / end == pytest.approx(QUICK.requests_per_second(8, 100))


def test_who_finds_no_place_waits_for_one():
    engine = Engine(QUICK)
    tickets = [engine.submit(10, at=0.0) for _ in range(9)]
    timings, _ = run(engine)
    assert max(timing.batch for timing in timings.values()) == 8
    assert timings[tickets[0]].queue_seconds == 0
    assert timings[tickets[8]].queue_seconds == pytest.approx(8 * 0.01 + 10 * 0.0028)


def test_who_comes_later_joins_the_batch_that_is_running():
    engine = Engine(QUICK)
    engine.submit(10, at=0.0)
    engine.tick(at=0.0)
    engine.submit(10, at=0.005)
    timings, _ = run(engine)
    assert [timing.batch for timing in timings.values()] == [2, 2]


@pytest.mark.parametrize("begun", [True, False])
def test_who_gives_up_leaves_the_batch(begun):
    engine = Engine(QUICK)
    ticket = engine.submit(10, at=0.0)
    if begun:
        engine.tick(at=0.0)
    engine.abort(ticket)
    assert (engine.running, engine.waiting) == (0, 0)


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(1, 6))
def test_every_request_is_answered_once_and_time_adds_up(requests, places):
    engine = Engine(msgspec.structs.replace(QUICK, largest_batch=places))
    tickets = [engine.submit(tokens, at=0.0) for tokens in requests]
    timings, end = run(engine)
    assert sorted(timings) == tickets
    for timing in timings.values():
        assert 1 <= timing.batch <= places
        assert timing.queue_seconds + timing.first_token_seconds + timing.generation_seconds <= end + 1e-9
    tokens = sum(max(tokens, 1) for tokens in requests)
    least = len(requests) * 0.01 + tokens * (0.002 / places + 0.0001)
    most = len(requests) * 0.01 + tokens * 0.0021
    assert least - 1e-9 <= end <= most + 1e-9


def test_the_preset_is_as_quick_as_its_sources_say():
    assert H100_8B.tick(batch=1, prompts=0) == pytest.approx(0.0072, abs=0.0002)
    assert H100_8B.tick(batch=32, prompts=0) == pytest.approx(0.011, abs=0.001)
    assert H100_8B.requests_per_second(8, 120) < H100_8B.ceiling(120) < 1 / H100_8B.prefill_seconds


# The server


def test_answers_at_once_share_a_batch_and_tell_the_simulated_time():
    with fake_server(Say("x", tokens=150), latency=QUICK) as server:
        answers = ask_at_once(server, 4)
    assert server.largest_batch == 4
    alone, together = 0.01 + 150 * 0.0021, 4 * 0.01 + 150 * 0.0024
    for answer in answers:
        assert alone - 0.001 < answer.usage.seconds < together + 0.001
        assert answer.usage.completion_tokens == 150


def test_a_batch_is_no_larger_than_the_model_has_places():
    with fake_server(Say("x", tokens=20), latency=msgspec.structs.replace(QUICK, largest_batch=2)) as server:
        ask_at_once(server, 5)
    assert server.largest_batch == 2


def test_a_client_that_hangs_up_leaves_the_batch():
    endless = Say("x", tokens=10**6)
    with fake_server(endless, latency=QUICK) as server, httpx.Client(base_url=server.base_url) as http:
        with pytest.raises(httpx.ReadTimeout):
            http.post("chat/completions", json={"messages": QUESTION}, timeout=0.3)
        root = server.base_url.removesuffix("v1")
        gone = lambda: "vllm:num_requests_running 0\n" in http.get(root + "metrics").text  # noqa: E731
        assert until(gone, timeout=5, waiting_for="the request to leave the batch")


def test_an_answer_is_cut_at_the_requests_limit():
    with fake_server(ENDLESS_THOUGHT) as server:
        answer = ask(server, max_tokens=512)
    assert answer.finish_reason == "length"
    assert answer.usage.completion_tokens == 512
    assert answer.text.startswith("<think>")
    assert "</think>" not in answer.text


def test_a_megabyte_and_random_bytes_are_answers():
    with fake_server(MEGABYTE, RANDOM_BYTES) as server:
        assert len(ask(server, max_tokens=512).text) > 1_000_000
        assert ask(server).text == RANDOM_BYTES.text


def test_garbage_is_none():
    with fake_server(GARBAGE) as server, pytest.raises(AgentError, match="Welcome to nginx"):
        ask(server)


def test_a_picture_costs_as_much_as_in_a_real_model():
    picture = {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,AAAA"}}
    with fake_server(Say("x")) as server, closing(Client(server.base_url)) as client:
        usage = client.complete([{"role": "user", "content": [{"type": "text", "text": "what now?"}, picture]}]).usage
    assert usage.prompt_tokens == 903


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"{", 400),
        (b'{"messages": []}', 400),
        (b'{"messages": [{}], "stream": true}', 400),
        (b'{"messages": [{}], "model": "b"}', 404),
        (b'{"messages": [{}], "model": "a"}', 200),
    ],
)
def test_what_a_real_server_refuses_is_refused(request_, status):
    with fake_server(Say("x"), models=("a",)) as server:
        assert httpx.post(server.base_url + "/chat/completions", content=request_).status_code == status


def test_it_counts_what_it_does():
    with fake_server(Say("four", tokens=7), Reply(500), Drop()) as server:
        ask(server)
        with pytest.raises(AgentError):
            ask(server)
        told = httpx.get(server.base_url.removesuffix("v1") + "metrics").text
    values = dict(line.split() for line in told.splitlines())
    assert values["vllm:request_success_total"] == "1"
    assert values["vllm:generation_tokens_total"] == "7"
    assert int(values["playsuite:requests_total"]) == len(server.requests) > 2


def test_an_address_that_is_taken_is_an_error():
    with fake_server(Say("x")) as server, ExitStack() as stack:
        port = int(server.base_url.split(":")[2].removesuffix("/v1"))
        with pytest.raises(ConfigError, match=f"listening on port {port}.*in use"):
            stack.enter_context(fake_server(Say("x"), port=port))


# What is said to whom


def said(script, times):
    return [script(number).text for number in range(times)]


def test_answers_come_in_order_or_in_turn():
    behaviours = (Say("a"), Say("b"))
    assert said(in_order(behaviours), 4) == ["a", "b", "b", "b"]
    assert said(in_turn(behaviours), 4) == ["a", "b", "a", "b"]


def test_recorded_answers_are_repeated(tmp_path):
    path = tmp_path / "steps.jsonl"
    steps = [Step(n, float(n), n, Turn(raw=raw)) for n, raw in enumerate(["left", "right"])]
    path.write_bytes(b"".join(msgspec.json.encode(step) + b"\n" for step in steps))
    assert said(recorded(path), 3) == ["left", "right", "left"]


def test_no_recorded_answers_are_an_error(tmp_path):
    (tmp_path / "steps.jsonl").write_bytes(b"")
    with pytest.raises(ConfigError, match="no steps to repeat"):
        recorded(tmp_path / "steps.jsonl")


def test_random_actions_are_valid_and_the_same_for_the_same_seed():
    answers = said(random_actions(3), 200)
    assert {parse(answer, SEEN).parsed.status for answer in answers} == {ParseStatus.OK}
    assert said(random_actions(3), 200) == answers != said(random_actions(4), 200)
    assert len(set(answers)) > 50


def test_errors_stand_in_the_place_of_answers():
    errors = dict(map(read_error, ["2:500", "5+:drop", "/3:429"]))
    script = with_errors(in_order([Say("x")]), errors)
    kinds = [getattr(behaviour, "status", type(behaviour).__name__) for behaviour in map(script, range(6))]
    assert kinds == ["Say", 500, 429, "Say", "Drop", "Drop"]


@pytest.mark.parametrize("text", ["", "500", "0:500", "x:500", "3:200", "3:drip", "3:", "+:500"])
def test_an_error_that_cannot_be_read_is_refused(text):
    with pytest.raises(ConfigError, match=r"Wanted WHEN:WHAT|no error called"):
        read_error(text)


# As a process


@contextmanager
def started(*arguments):
    command = [sys.executable, "-m", "playsuite.testing.server", *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=10)


def test_it_says_when_it_is_ready_and_ends_when_told(tmp_path):
    path = tmp_path / "s.sock"
    with started("--uds", path, "--reply", "a", "--reply", "b") as process:
        assert process.stdout.readline() == f"ready unix://{path}\n"
        with closing(Client(f"unix://{path}")) as client:
            assert [client.complete(QUESTION).text for _ in range(3)] == ["a", "b", "a"]
        process.terminate()
        assert process.wait(10) == 0


def test_it_is_not_well_while_it_loads(tmp_path):
    path = tmp_path / "s.sock"
    with started("--uds", path, "--load-seconds", "1.5") as process, closing(Client(f"unix://{path}")) as client:
        until(path.exists, timeout=10, waiting_for="the socket")
        assert not client.healthy()
        assert process.stdout.readline().startswith("ready")
        assert client.healthy()


def test_it_can_die_of_its_memory():
    with started("--port", "0", "--die-after", "1") as process:
        url = process.stdout.readline().split()[1]
        with closing(Client(url, patience_seconds=0.2)) as client:
            client.complete(QUESTION)
            with pytest.raises(AgentError):
                client.complete(QUESTION)
        assert process.wait(10) == 1
        assert "CUDA out of memory" in process.stderr.read().splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--port", "0", "--errors", "3:drip"), "no error called 'drip'"),
        (("--port", "0", "--recorded", "/nowhere"), "/nowhere"),
        (("--uds", "/nowhere/s.sock"), "/nowhere/s.sock"),
        ((), "--uds"),
    ],
)
def test_wrong_arguments_are_one_clear_line(arguments, message):
    with started(*arguments) as process:
        assert process.wait(20) == 2
        assert message in process.stderr.read().splitlines()[-1]
