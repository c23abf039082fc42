"""``garten play craftax --agent``: an agent at the keys."""

import shutil
import sys

import numpy as np
import pytest

from cli.terminals import Person
from garten.cli._agents import agent_called
from garten.cli._pilot import Pilot
from garten.craftax import host_keys
from garten.craftax.play import Game
from garten.craftax.session import Session
from garten.runs.folder import RunFolder
from garten.training.agents import Agent, Mind
from garten.training.exported import export_agent
from training.policies import Fixed, Wanderer


def test_the_keys_are_what_the_agent_would_do():
    agent = Agent("wanderer", Wanderer(17), "Craftax-Classic")
    session, pilot = Session(Game("Craftax-Classic", seed=7)), Pilot(agent, actions=17)
    for _ in range(30):
        session.press(pilot.key(session.game))
    game, mind = Game("Craftax-Classic", seed=7), Mind(agent, host_keys.key_of(7)[None])
    for _ in range(30):
        game.act(int(mind.act(game.observation)[0]))
    assert session.game.actions == game.actions
    assert len(set(game.actions)) > 3


def test_it_begins_anew_with_each_game():
    agent = Agent("wanderer", Wanderer(17), "Craftax-Classic")
    pilot, game = Pilot(agent, actions=17), Game("Craftax-Classic", seed=7)
    played = []
    for seed in (7, 8, 7):
        game.begin(seed)
        session = Session(game)
        for _ in range(20):
            session.press(pilot.key(game))
        played.append(list(game.actions))
    assert played[0] == played[2] != played[1]


def test_agents_by_name(trained, tmp_path):
    export_agent(RunFolder.open(trained), tmp_path / "agent.safetensors")
    assert agent_called(str(trained)).trained_steps == 2048
    assert agent_called(str(tmp_path / "agent.safetensors")).trained_steps == 2048


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_watching_an_agent_in_a_terminal(trained, tmp_path):
    shutil.copytree(trained, tmp_path / "small")
    person = Person("play", "craftax", "--agent", "small", "--seed", 5, "--speed", 100, cwd=tmp_path)
    try:
        person.sees("step 10")
        person.type("q")
        person.sees("Leave this game")
        person.type("q")
        assert person.leaves() == 0
        assert "Craftax-Classic, seed 5: " in person.seen
    finally:
        person.close()


def test_who_plays_by_pictures_is_not_watched(trained):
    pilot = Pilot(Agent("painter", Fixed(np.zeros(17)), "Craftax-Classic", tile=9), actions=17)
    with pytest.raises(Exception, match=r"painter plays by pictures; watch it by garten reshoot\."):
        pilot.key(Game("Craftax-Classic", seed=0))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--agent", "small", "--keys", "ww"), "--keys are played by nobody else"),
        (("--agent", "small", "--game", "Craftax"), "small plays Craftax-Classic; leave out --game."),
        (("--agent", "nosuch"), "There is no run at nosuch"),
    ],
)
def test_what_does_not_fit_is_told(cli, trained, tmp_path, monkeypatch, words, told):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(trained, tmp_path / "small")
    ended = cli("play", "craftax", *words)
    assert ended.code != 0
    assert told in ended.err
