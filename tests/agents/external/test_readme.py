"""agents/external/README.md is true about the protocols."""

import re
from pathlib import Path

import pytest

import agents.external
import games
from agents.external.gomocup import Gomocup
from agents.external.gtp import Gtp
from agents.external.json_lines import JsonLines
from agents.external.nboard import NBoard
from agents.external.nypc import Nypc
from agents.external.protocol import EngineProtocol
from agents.seat import RULES
from stockfish_bridge.uci import Uci

README = (Path(agents.external.__file__).parent / "README.md").read_text(encoding="utf-8")
PROTOCOLS = {"uci": Uci, "gtp": Gtp, "gomocup": Gomocup, "nboard": NBoard, "nypc": Nypc, "json": JsonLines}
BEGINS = {
    "anywhere": "anywhere",
    "moves": "at the start, opening turns allowed",
    "start": "at the start, no opening turns",
}


def test_the_table_has_every_protocol_with_its_games_and_where_it_begins() -> None:
    rows = re.findall(r"^\| `(\w+):command=…` \| ([^|]*) \| [^|]* \| ([^|]*) \|$", README, re.MULTILINE)
    assert {name: (named, begins) for name, named, begins in rows} == {
        name: (", ".join(protocol.games) or "all", BEGINS[protocol.starts]) for name, protocol in PROTOCOLS.items()
    }


def test_the_faults_in_the_table_exist() -> None:
    table = README.partition("| what it does | fault |")[2].partition("\n\n")[0]
    named = set(re.findall(r"`([a-z-]+)`", table))
    assert named
    assert named <= RULES.keys()


@pytest.mark.parametrize("name", ["gtp", "json", "nypc"])
def test_protocols_without_options_refuse_options(name: str) -> None:
    (listed,) = re.findall(r"All other keys are options of the protocol; ([^.]*) have none\.", README)
    assert f"`{name}:`" in listed
    protocol: type[EngineProtocol] = PROTOCOLS[name]
    game = games.load((protocol.games or ("othello",))[0])
    with pytest.raises(games.errors.BadParameters):
        protocol(game, {"depth": 3})
