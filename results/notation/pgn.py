"""Games of chess and microchess as PGN, and PGN as games with our endings.

Other programs would read moves of microchess as moves of chess and fail in the middle of the game. So its moves are one
comment, and game and start position are tags of our own: such a file is a valid game of chess without moves.
"""

import io
import itertools
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final, cast

import chess
import chess.pgn

import games
from games.errors import ArenaError
from results.errors import PgnError
from results.notation.read_game import ReadGame
from results.record import GameRecord
from results.text import plain
from results.time_control import TimeControl

__all__ = ["GAMES", "read", "write"]

#: The games that can be written as PGN, with the Variant tag that earlier versions wrote.
GAMES: Final[Mapping[str, str]] = {"chess": "Standard", "microchess": "Microchess"}

#: Our own tags: the name of the game, and its start position.
_GAME: Final = "ArenaGame"
_START: Final = "ArenaStart"
#: A comment with the moves of a game that is not chess: the seconds of a move follow it.
_MOVES: Final = re.compile(r"moves of (\w+):(.*)", re.DOTALL)
_SECONDS: Final = re.compile(r"\b[0-9.]+s\b")
_WIDTH: Final = 80

#: PGN escapes these with a backslash, which python-chess and other readers do not remove.
_AWKWARD: Final = str.maketrans({'"': "'", "\\": "/"})


def write(record: GameRecord, *, excluded: str | None = None) -> str:
    """The record as PGN, with the wall-clock time of each move; first is White.

    If the game is excluded, the tag Excluded holds the reason.
    """
    if record.game not in GAMES:
        raise PgnError(f"only {' and '.join(GAMES)} have PGN, not {record.game}; use another format")
    rules = games.load(record.game)
    # The states of both games are boards of python-chess.
    board = cast(chess.Board, rules.position(record.start))
    game = chess.pgn.Game()
    for name, value in _headers(record).items():
        game.headers[name] = value.translate(_AWKWARD)
    if excluded is not None:
        game.headers["Excluded"] = plain(excluded).translate(_AWKWARD)
    if record.game != "chess":
        game.headers[_GAME], game.headers[_START] = record.game, record.start
        tags = "".join(f'[{tag} "{value}"]\n' for tag, value in game.headers.items())
        return f"{tags}\n{_moves_comment(record, board)} {record.result}\n\n"
    game.setup(board)
    node: chess.pgn.GameNode = game
    for number, move in enumerate(record.moves):
        node = node.add_variation(chess.Move.from_uci(move.text))
        if number >= len(record.opening):
            node.set_emt(move.wall)
    return f"{game.accept(chess.pgn.StringExporter(columns=80))}\n"


def _moves_comment(record: GameRecord, board: chess.Board) -> str:
    """All moves as one comment, each with its seconds if a player made it."""
    words = [f"moves of {record.game}:"]
    for number, made in enumerate(record.moves):
        if board.turn == chess.WHITE or not number:
            words.append(f"{board.fullmove_number}.{'' if board.turn == chess.WHITE else '..'}")
        move = chess.Move.from_uci(made.text)
        words.append(board.san(move))
        if number >= len(record.opening):
            words.append(f"{made.wall:.3f}s")
        board.push(move)
    return "\n".join(textwrap.wrap(f"{{ {' '.join(words)} }}", _WIDTH))


def read(text: str) -> list[ReadGame]:
    """All games of a PGN file, each under the rules of its ArenaGame (or Variant) and TurnLimit tags."""
    for name in GAMES:
        games.load(name)  # Loading registers the variant with python-chess.
    return list(_games(io.StringIO(text)))


def _headers(record: GameRecord) -> dict[str, str]:
    date, _, time = record.started.partition("T")
    headers = {
        "Event": plain(record.league),
        "Site": plain(record.host) or "?",
        "Date": date.replace("-", "."),
        "Round": plain(record.key),
        "White": plain(record.first.name),
        "Black": plain(record.second.name),
        "Result": record.result,
        "UTCDate": date.replace("-", "."),
        "UTCTime": time[:8],
        "TimeControl": _time_control(record.time_control),
        "Termination": _termination(record),
        "Reason": plain(_reason(record)),
        "Seed": str(record.seed),
    }
    if limit := record.parameters.get("turns", 0):
        headers["TurnLimit"] = plain(str(limit))
    return headers


def _time_control(control: TimeControl) -> str:
    """The time control in the form of PGN: a time for each move is a period of one move."""
    return f"1/{control.seconds:g}" if control.is_per_move else str(control)


def _termination(record: GameRecord) -> str:
    if record.fault is not None:
        return "time forfeit" if record.fault.rule == "time" else "rules infraction"
    return "adjudication" if record.reason in {"turn-limit", "adjudication", "adjudicated"} else "normal"


def _reason(record: GameRecord) -> str:
    if record.fault is not None:
        return f"{record.reason}: {record.fault.player} {record.fault.rule}"
    return f"{record.reason}: {record.detail}" if record.detail else record.reason


class _Strict(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Raises errors where python-chess would log them and go on with half a game."""

    def __init__(self) -> None:
        super().__init__(Game=chess.pgn.Game)

    def handle_error(self, error: Exception) -> None:
        raise error


def _games(stream: io.StringIO) -> Iterator[ReadGame]:
    for number in itertools.count(1):
        try:
            game = chess.pgn.read_game(stream, Visitor=_Strict)
            if game is None:
                return
            yield _replayed(_unpacked(game) if _GAME in game.headers else game, headers=dict(game.headers))
        except (ValueError, ArenaError) as error:
            raise PgnError(f"game {number} of the PGN cannot be read: {plain(str(error))}") from error


def _unpacked(game: chess.pgn.Game) -> chess.pgn.Game:
    """The game whose moves are in the comment of this one."""
    name, found = game.headers[_GAME], _MOVES.fullmatch(game.comment.strip())
    if name not in GAMES or found is None or found[1] != name:
        raise PgnError(f"there is no comment with the moves of {name!r}; PGN is for {' and '.join(GAMES)}")
    headers = {"Variant": GAMES[name], "FEN": game.headers.get(_START, ""), "SetUp": "1"}
    tags = "".join(f'[{tag} "{value}"]\n' for tag, value in headers.items())
    text = f"{tags}\n{_SECONDS.sub('', found[2])} {game.headers.get('Result', '*')}\n"
    made = chess.pgn.read_game(io.StringIO(text), Visitor=_Strict)
    assert made is not None
    return made


def _replayed(game: chess.pgn.Game, *, headers: dict[str, str]) -> ReadGame:
    if game.headers == chess.pgn.Game().headers and game.is_end():
        raise PgnError("there are no tags and no moves; is this PGN?")
    variant = game.headers.get("Variant", "Standard")
    names = {tag.lower(): name for name, tag in GAMES.items()} | {"chess": "chess"}
    if variant.lower() not in names:
        raise PgnError(f"no variant called {variant!r}; there are {' and '.join(GAMES.values())}")
    limit = headers.get("TurnLimit", "0")
    if not limit.isdecimal():
        raise PgnError(f"TurnLimit is a whole number, not {limit!r}")
    rules = games.load(f"{names[variant.lower()]}:turns={int(limit)}")
    fen = game.headers.get("FEN")
    state = rules.start() if fen is None else rules.position(fen)
    start = state.text
    moves = []
    for made in game.mainline_moves():
        move = state.parse(made.uci())
        state = state.forward(move)
        moves.append(str(move))
    return ReadGame(headers, rules, start, tuple(moves), headers.get("Result", "*"), state)
