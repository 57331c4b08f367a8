import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest

from playsuite.agents.client import ATTEMPTS, RECOVERIES, SETTLE_S, Client
from playsuite.core.errors import AgentError, ConfigError
from playsuite.core.wait import WaitTimeoutError, until
from playsuite.testing.server import Say, fake_server

QUESTION = [{"role": "user", "content": "what now?"}]
NONSENSE = [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": 3}', b"\xff\xfe", b"null", b"[" * 10**5]


def ask(server, timeout_seconds=10.0, patience_seconds=0.2, **fields):
    with closing(Client(server.base_url, timeout_seconds=timeout_seconds, patience_seconds=patience_seconds)) as client:
        return client.complete(QUESTION, **fields)


def test_an_answer_comes_with_its_cost(serve, behave):
    details = {"cached_tokens": 64}
    said = behave.say("Action: left", prompt_tokens=90, completion_tokens=5, prompt_tokens_details=details)
    with serve(said) as server:
        completion = ask(server, model="m", temperature=0.5)
    assert completion.text == "Action: left"
    assert completion.finish_reason == "stop"
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (90, 5)
    assert completion.usage.cached_tokens == 64
    assert 0 < completion.usage.seconds < 10
    assert server.requests == [{"messages": QUESTION, "model": "m", "temperature": 0.5}]
    assert server.paths == ["/v1/chat/completions"]


def test_the_time_the_server_reports_counts(serve, behave):
    with serve(behave.say("x", headers=[("openai-processing-ms", "1250")])) as server:
        assert ask(server).usage.seconds == 1.25


@pytest.mark.parametrize(
    "told",
    [
        {"metrics": {"queue_time_ms": 900.0, "time_to_first_token_ms": 250.0, "generation_time_ms": 1000.0}},
        {"timings": {"prompt_ms": 250.0, "predicted_ms": 1000.0, "cache_n": 7}},
    ],
)
def test_of_the_times_a_server_tells_the_models_own_count(serve, behave, told):
    body = {"choices": [{"message": {"content": "x"}}], **told}
    with serve(behave.reply(body=body)) as server:
        assert ask(server).usage.seconds == 1.25


@pytest.mark.parametrize("told", [{"metrics": []}, {"metrics": {"generation_time_ms": None}}, {"timings": "quick"}])
def test_times_told_otherwise_are_measured(serve, behave, told):
    body = {"choices": [{"message": {"content": "x"}}], **told}
    with serve(behave.reply(body=body)) as server:
        assert 0 < ask(server).usage.seconds < 10


def test_an_answer_in_parts_is_put_together(serve, behave):
    parts = [{"type": "text", "text": "Action: "}, {"type": "other"}, {"type": "text", "text": "left"}]
    with serve(behave.reply(body={"choices": [{"message": {"content": parts}}]})) as server:
        assert ask(server).text == "Action: left"


def test_half_a_character_costs_only_itself(serve, behave):
    with serve(behave.reply(body=b'{"choices": [{"message": {"content": "left \\ud83d"}}]}')) as server:
        assert ask(server).text == "left ?"


def test_a_key_is_sent_if_there_is_one(serve, behave):
    with serve(behave.say("x")) as server, closing(Client(server.base_url, api_key="secret")) as client:
        client.complete(QUESTION)
    assert server.keys == ["Bearer secret"]


@pytest.mark.parametrize("key", ["secret\n", "schlüssel"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(key):
    with pytest.raises(ConfigError, match="API key") as refusal:
        Client("http://127.0.0.1:1/v1", api_key=key)
    assert key.strip() not in str(refusal.value)


def test_missing_details_are_no_error(serve, behave):
    body = {"choices": [{"message": {"content": None}, "finish_reason": None}], "usage": None}
    with serve(behave.reply(body=body)) as server:
        assert ask(server).text == ""


def test_a_megabyte_is_an_answer(serve, behave):
    with serve(behave.say("jump " * 200_000)) as server:
        assert len(ask(server).text) == 1_000_000


def test_more_than_anyone_reads_is_an_error(serve, behave):
    with serve(behave.reply(body=b" " * (17 * 2**20))) as server, pytest.raises(AgentError, match="more than 16777216"):
        ask(server)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
def test_a_passing_failure_is_tried_again(serve, behave, status):
    with serve(behave.reply(status, b"busy"), behave.die, behave.say("Action: up")) as server:
        assert ask(server).text == "Action: up"
    assert len(server.requests) == 3


def test_a_lasting_failure_of_a_server_that_is_well_ends_after_a_few_attempts(serve, behave):
    with serve(behave.reply(500, b"CUDA error")) as server, pytest.raises(AgentError, match="CUDA error"):
        ask(server)
    assert len(server.requests) == ATTEMPTS


def test_a_server_that_hangs_up_again_and_again_is_named(serve, behave):
    with serve(behave.die) as server, pytest.raises(AgentError, match="failed again and again") as failure:
        ask(server)
    assert server.base_url in str(failure.value)
    assert len(server.requests) == ATTEMPTS * (RECOVERIES + 1)


@pytest.mark.parametrize("how", ["hang", "trickle"])
def test_a_missed_deadline_is_neither_waited_for_nor_tried_again(serve, behave, how):
    begun = time.monotonic()
    with serve(getattr(behave, how)) as server, pytest.raises(AgentError, match=r"within 0\.5 s, and is not asked"):
        ask(server, timeout_seconds=0.5)
    assert time.monotonic() - begun < 5
    assert len(server.requests) == 1


def test_a_refusal_is_not_repeated_and_says_what_to_do(serve, behave):
    advice = pytest.raises(AgentError, match=r"404.*no such page.*Check the base URL")
    with serve(behave.reply(404, {"error": {"message": "no such page"}})) as server, advice:
        ask(server, model="fake")
    assert len(server.requests) == 1


def test_an_unknown_model_is_answered_with_the_known_ones(serve, behave):
    advice = pytest.raises(AgentError, match=r"no model 'qwen-8'. Did you mean 'qwen-8b'\? It has: gemma-3, qwen-8b")
    with serve(behave.say("x"), models=("gemma-3", "qwen-8b")) as server, advice:
        ask(server, model="qwen-8")


def test_a_server_says_which_models_it_has(serve, behave):
    with serve(behave.say("x"), models=("a", "b")) as server, closing(Client(server.base_url)) as client:
        assert client.models() == ["a", "b"]


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": 3}', b"\xff\xfe", b"null", b"[" * 10**5]
)
def test_nonsense_is_an_error_that_shows_it(serve, behave, body):
    with serve(behave.reply(body=body)) as server, pytest.raises(AgentError, match="no chat completion"):
        ask(server)


def test_a_busy_server_gets_the_pause_it_asks_for(serve, behave):
    busy = behave.reply(429, b"", headers=[("Retry-After", "1")])
    begun = time.monotonic()
    with serve(busy, behave.say("x")) as server:
        ask(server, patience_seconds=2)
    assert time.monotonic() - begun >= 1


def test_a_server_that_is_not_ready_for_ever_is_given_up(serve, behave):
    with serve(behave.reply(503, b"too many")) as server, pytest.raises(AgentError, match="too many"):
        ask(server, patience_seconds=0.05)
    assert len(server.requests) == ATTEMPTS * (RECOVERIES + 1)


def test_a_server_that_is_busy_for_ever_is_given_up_when_patience_is(serve, behave):
    begun = time.monotonic()
    with serve(behave.reply(429, b"too many")) as server, pytest.raises(AgentError, match=r"busy for 4 s.*too many"):
        ask(server, patience_seconds=4)
    assert 2 <= time.monotonic() - begun < 5
    assert len(server.requests) == 3  # after 1 and 2 s; the next pause would be too long


def test_a_server_that_was_busy_often_is_asked_as_long_as_there_is_patience(serve, behave):
    busy = behave.reply(429, b"", headers=[("Retry-After", "0.01")])
    with serve(*[busy] * 30, behave.say("Action: up")) as server:
        assert ask(server, patience_seconds=20).text == "Action: up"


def test_a_pause_beyond_all_patience_is_not_begun(serve, behave):
    busy = behave.reply(429, b"", headers=[("Retry-After", "9999")])
    begun = time.monotonic()
    with serve(busy) as server, pytest.raises(AgentError, match="pause of 9999 s"):
        ask(server, patience_seconds=60)
    assert time.monotonic() - begun < 5


def test_a_server_that_is_loading_is_waited_for(serve, behave):
    with serve(behave.say("Action: up")) as server, ThreadPoolExecutor() as pool:
        server.load()
        answer = pool.submit(ask, server, patience_seconds=30)
        until(lambda: server.health_checks > 2, timeout=10, waiting_for="the client to ask for the server's health")
        server.finish_loading()
        assert answer.result(timeout=10).text == "Action: up"


def test_a_failure_of_a_server_that_is_dying_is_not_its_last_word(serve, behave):
    failed = behave.reply(500, b"EngineDeadError")
    with serve(failed, failed, failed, behave.say("Action: up")) as server, ThreadPoolExecutor() as pool:
        server.feel(well=False)
        answer = pool.submit(ask, server, patience_seconds=30)
        until(lambda: server.health_checks > 2, timeout=10, waiting_for="the client to ask for the server's health")
        server.feel(well=True)
        assert answer.result(timeout=10).text == "Action: up"


def test_an_address_without_models_is_an_error():
    with fake_server(Say("x")) as server, closing(Client(server.base_url.removesuffix("/v1"))) as client:
        assert client.healthy()
        with pytest.raises(AgentError, match="does not say which models it has: status 404"):
            client.models()


def test_the_wait_for_a_server_is_not_the_models_time(serve, behave):
    with serve(behave.say("x")) as server, ThreadPoolExecutor() as pool:
        server.load()
        answer = pool.submit(ask, server, patience_seconds=30)
        until(lambda: server.health_checks > 2, timeout=10, waiting_for="the client to ask for the server's health")
        server.finish_loading()
        assert answer.result(timeout=10).usage.seconds < SETTLE_S


def test_a_server_that_dies_and_returns_to_its_socket_costs_nothing(tmp_path):
    path = tmp_path / "model.sock"
    engine = [sys.executable, "-m", "playsuite.testing.server", "--uds", str(path), "--reply", "Action: up"]
    with ExitStack() as stack:
        mortal = stack.enter_context(started([*engine, "--die-after", "1"]))
        client = stack.enter_context(closing(Client(f"unix://{path}", timeout_seconds=20, patience_seconds=60)))
        pool = stack.enter_context(ThreadPoolExecutor())
        assert client.complete(QUESTION).text == "Action: up"
        answer = pool.submit(client.complete, QUESTION)
        assert mortal.wait(10) == 1
        stack.enter_context(started(engine))
        assert answer.result(timeout=60).text == "Action: up"


@contextmanager
def started(command):
    """Start a server and wait until it says that it is ready."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout.readline().startswith("ready ")
        yield process
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def test_a_server_that_stays_away_is_not_waited_for_longer_than_the_patience(tmp_path):
    begun = time.monotonic()
    client = Client(f"unix://{tmp_path}/nobody.sock", patience_seconds=0.3)
    missing = pytest.raises(AgentError, match=r"ConnectError.*not well again within 0\.3 s. Is the server running\?")
    with closing(client), missing:
        client.complete(QUESTION)
    assert time.monotonic() - begun < 5


def test_health_is_what_the_server_says_not_its_socket(serve, behave, tmp_path):
    with serve(behave.say("x")) as server, closing(Client(server.base_url)) as client:
        server.load()
        assert not client.healthy()
        with pytest.raises(WaitTimeoutError, match=r"waited 0\.1 s for the big model"):
            client.wait_until_healthy(0.1, waiting_for="the big model")
        server.finish_loading()
        assert client.healthy()
        client.wait_until_healthy(1)


@pytest.mark.parametrize("address", ["", "localhost:8000", "ftp://x", "http://[::1"])
def test_a_wrong_address_is_a_configuration_error(address):
    with pytest.raises(ConfigError, match="no address of a server"):
        Client(address)


def test_our_own_machine_is_not_asked_through_a_proxy(behave, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with fake_server(Say("Action: up")) as server:
        assert ask(server).text == "Action: up"
