import time
from contextlib import closing

import pytest

from playsuite.agents.client import ATTEMPTS, Client
from playsuite.core.errors import AgentError, ConfigError

QUESTION = [{"role": "user", "content": "what now?"}]


def ask(server, timeout_seconds=10.0, **sampling):
    with closing(Client(server.base_url, timeout_seconds=timeout_seconds)) as client:
        return client.complete(QUESTION, **sampling)


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


def test_a_key_is_sent_if_there_is_one(serve, behave):
    with serve(behave.say("x")) as server, closing(Client(server.base_url, api_key="secret")) as client:
        client.complete(QUESTION)
    assert server.keys == ["Bearer secret"]


def test_missing_details_are_no_error(serve, behave):
    body = {"choices": [{"message": {"content": None}, "finish_reason": None}], "usage": None}
    with serve(behave.reply(body=body)) as server:
        assert ask(server).text == ""


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(serve, behave, status):
    with serve(behave.reply(status, b"busy"), behave.die, behave.say("Action: up")) as server:
        assert ask(server).text == "Action: up"
    assert len(server.requests) == 3


def test_a_lasting_failure_ends_after_a_few_attempts(serve, behave):
    with serve(behave.reply(500, b"CUDA error")) as server, pytest.raises(AgentError, match="CUDA error"):
        ask(server)
    assert len(server.requests) == ATTEMPTS


def test_a_server_that_hangs_up_is_named(serve, behave):
    with serve(behave.die) as server, pytest.raises(AgentError, match="failed 3 times") as failure:
        ask(server)
    assert server.base_url in str(failure.value)


@pytest.mark.parametrize("how", ["hang", "trickle"])
def test_a_missed_deadline_is_not_waited_for(serve, behave, how):
    begun = time.monotonic()
    with serve(getattr(behave, how)) as server, pytest.raises(AgentError, match=r"did not answer within 0\.5 s"):
        ask(server, timeout_seconds=0.5)
    assert time.monotonic() - begun < 5


def test_a_refusal_is_not_repeated_and_says_what_to_do(serve, behave):
    advice = pytest.raises(AgentError, match=r"404.*no such model.*Check the base URL")
    with serve(behave.reply(404, {"error": {"message": "no such model"}})) as server, advice:
        ask(server)
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": 3}', b"\xff\xfe", b"null"])
def test_nonsense_is_an_error_that_shows_it(serve, behave, body):
    with serve(behave.reply(body=body)) as server, pytest.raises(AgentError, match="no chat completion"):
        ask(server)


def test_a_busy_server_gets_the_pause_it_asks_for(serve, behave):
    busy = behave.reply(429, b"", headers=[("Retry-After", "1")])
    begun = time.monotonic()
    with serve(busy, behave.say("x")) as server:
        ask(server)
    assert time.monotonic() - begun >= 1


def test_no_pause_goes_past_the_deadline(serve, behave):
    busy = behave.reply(429, b"", headers=[("Retry-After", "9999")])
    begun = time.monotonic()
    with serve(busy) as server, pytest.raises(AgentError):
        ask(server, timeout_seconds=1.0)
    assert time.monotonic() - begun < 5


def test_nobody_at_the_address_fails_fast(tmp_path):
    begun = time.monotonic()
    with closing(Client(f"unix://{tmp_path}/nobody.sock")) as client, pytest.raises(AgentError, match="Is the server"):
        client.complete(QUESTION)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("address", ["", "localhost:8000", "ftp://x", "http://[::1"])
def test_a_wrong_address_is_a_configuration_error(address):
    with pytest.raises(ConfigError, match="no address of a server"):
        Client(address)
