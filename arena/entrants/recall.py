"""Stored entrants, made ready to play again with the code that they had then."""

import sys
from dataclasses import replace
from pathlib import Path

from agents.names import ENGINES
from arena.entrants.entrant import PROTOCOL, STOCKFISH, Entrant, bundled_hash, fitted, modules, resolve
from arena.entrants.grants import Grants, check_installed
from arena.entrants.staging import content_hash, stage_of
from arena.errors import BadSettings, UnknownAgent
from games.base import Game, split_parameters
from results.record import EntrantRecord
from results.text import plain

__all__ = ["names_program", "recall", "recalled"]


def recall(stored: EntrantRecord, game: Game, *, home: Path, trust_file: bool = False) -> Entrant:
    """A stored entrant, ready to play this game with the code that it had then; see `recalled`."""
    found = recalled(stored, home=home, trust_file=trust_file)
    return fitted(found, game) if found.protocol else found


def recalled(stored: EntrantRecord, *, home: Path, trust_file: bool = False) -> Entrant:
    """A stored entrant with the code that it had then; an engine has still to be fitted to a game.

    Bundled and installed agents and engines play with their present code. The hash is that of the code that will play.
    The command of an engine is taken from the results file only if the user trusts that file.
    """
    path = stored.path.encode().decode("unicode_escape")
    if path.startswith(PROTOCOL):  # programs are not staged: it is searched again
        if not trust_file and not _is_plain_stockfish(stored.agent):
            raise BadSettings(
                f"the results file names the program of {stored.name!r}: {plain(stored.agent, limit=100)}; "
                f"if you trust the file, add --trust-file"
            )
        return replace(resolve(stored.agent, home=home), name=stored.name)
    copy = stage_of(stored.hash, home=home)
    if copy is not None:
        digest = copy.hash
    elif path.startswith("agents."):
        digest = bundled_hash()
    elif (installed := next(modules(path.partition(".")[0], sys.path), None)) is not None:
        digest = content_hash(installed)
    else:
        raise UnknownAgent(
            f"the stored files of {stored.name!r} are missing or changed; it cannot play with its earlier code"
        )
    grants = Grants.of(stored.grants)
    check_installed(grants.needs, where=stored.name)
    return Entrant(stored.name, stored.agent, path, copy is not None, stored.options, stored.version, digest, grants)


def names_program(agent: str) -> bool:
    """Whether the text of an entrant names a program to run.

    >>> names_program("uci:command=./mine"), names_program("stockfish:level=3"), names_program("random")
    (True, False, False)
    """
    return split_parameters(agent)[0] in (*ENGINES, STOCKFISH) and not _is_plain_stockfish(agent)


def _is_plain_stockfish(agent: str) -> bool:
    """Whether the text names Stockfish without a program or files of its own."""
    where, options = split_parameters(agent)
    return where in ("stockfish", STOCKFISH) and options.keys().isdisjoint(("path", "read"))
