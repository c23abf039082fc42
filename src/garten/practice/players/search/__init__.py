"""The search player: learns to play from frames alone, without a language model.

motor        which actions walk, turn and wait
calibration  angle of view, angle of a turn, how tall colours are, found by looking and walking
knowledge    palette, lens, sizes, what moves: merged over games, inherited
skills       go to, follow, push ... over colours, each turned into the next few moves
seat         one role in one game: look, update the map, write the next program
grammar      the space of candidates: skills, parameters, sequences
weights      which colours are worth trying
evidence     what games have shown, and whom to trust
lessons      knowledge and evidence as Markdown and data
player       a round: propose, review, write
"""

from garten.practice.players.search.player import SearchPlayer

PLAYER = SearchPlayer
"""What `garten.practice.players.load_player` looks for."""

__all__ = ["PLAYER", "SearchPlayer"]
