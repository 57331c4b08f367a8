from base64 import b64decode
from contextlib import closing
from io import BytesIO

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from playsuite.agents.model import openai
from playsuite.core.actions import Click, Move, ParseStatus, Press, Wait
from playsuite.core.errors import AgentError, ConfigError
from playsuite.core.protocols import AgentSetup, Observation
from playsuite.core.records import Step, Turn


def setup_for(server, **more):
    return AgentSetup(base_url=server.base_url, model="tiny", options={"timeout_seconds": "5"}, **more)


def play(setup, game, seen, history=()):
    with closing(openai(setup)) as player:
        return player.act(game, seen, history)


def sent_picture(server):
    url = server.requests[0]["messages"][1]["content"][1]["image_url"]["url"]
    return b64decode(url.removeprefix("data:image/jpeg;base64,"))


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
    assert "400 x 300 pixels" in server.requests[0]["messages"][1]["content"][0]["text"]


def test_the_past_is_told_in_the_coordinates_of_the_picture(serve, behave, game):
    seen = Observation(np.zeros((600, 800, 3), np.uint8), t=3.0, index=1)
    past = [Step(0, 0.0, 0, Turn((Click(200, 150),), observation="a menu"))]
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server, frame_width=400), game, seen, past)
    assert "Observation: a menu Action: click:100,75" in server.requests[0]["messages"][1]["content"][0]["text"]


def test_a_small_frame_stays_as_it_is(serve, behave, game, seen):
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server), game, seen)
    assert Image.open(BytesIO(sent_picture(server))).size == (160, 120)


def test_pictures_keep_the_colours_of_thin_lines(serve, behave, game):
    frame = np.zeros((64, 64, 3), np.uint8)
    frame[:, ::2] = (255, 0, 0)
    with serve(behave.say("Action: wait")) as server:
        play(setup_for(server), game, Observation(frame, t=0.0, index=0))
    shown = np.asarray(Image.open(BytesIO(sent_picture(server)))).astype(int)
    assert np.abs(shown - frame).max() < 40


def test_the_exact_bytes_are_kept_on_request(serve, behave, game, seen, tmp_path):
    with (
        serve(behave.say("Action: wait")) as server,
        closing(openai(setup_for(server, images=tmp_path / "seen"))) as agent,
    ):
        agent.act(game, seen, ())
        agent.act(game, seen, ())
    kept = sorted((tmp_path / "seen").iterdir())
    assert [path.name for path in kept] == ["000000.jpg", "000001.jpg"]
    assert kept[0].read_bytes() == sent_picture(server)


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
        ({"base_url": ""}, "--base-url"),
        ({"model": ""}, "--model"),
        ({"adapter": "standart"}, "Did you mean 'standard'"),
        ({"prompt": "few-shot"}, "Did you mean 'few_shot'"),
        ({"options": {"timeout_seconds": "soon"}}, "number of seconds"),
        ({"base_url": "localhost"}, "no address"),
    ],
)
def test_a_wrong_setup_is_refused_before_anything_starts(change, message, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    right = AgentSetup(base_url="http://127.0.0.1:1/v1", model="tiny")
    with pytest.raises(ConfigError, match=message):
        openai(replace(right, **change))
