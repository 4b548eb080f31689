"""The ladder of a run: matches of its generations against fixed anchors, and the matches of its gate.

All are ordinary matches: games in the sandbox, stored in a results file in the folder of the run. Each opening is
played twice, with sides swapped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.competition import matches as competition
from arena.competition.events import Event, GameStored, OnEvent
from arena.entrants.recall import names_program
from arena.errors import BadSettings, TrainingFailed
from arena.training.events import LadderGame, OnTraining
from arena.training.learning_process import Line
from arena.training.runs import LadderPoint, TrainingRun
from games.base import load_stored, split_parameters
from results.api import load as load_results
from results.standings.match import Match
from results.text import plain

__all__ = ["Ladder", "decide", "opening_options", "play_match"]

_OPENINGS: Final = Path(__file__).parent / "openings"
_OPENING_TURNS: Final = 4
#: What a sequential test of a gate asks: is the new net as strong as the old one, or stronger by so many Elo?
_GATE_ELO: Final = (0.0, 50.0)


def opening_options(game: str) -> dict[str, Any]:
    """How matches of this game begin: level positions where we have a list of them, else random turns."""
    name, parameters = split_parameters(game)
    path = _OPENINGS / f"{name}.txt"
    if path.exists() and not parameters:
        return {"openings": path}
    turns = load_stored(game).parameters.get("turns")
    return {"opening_turns": _OPENING_TURNS if turns is None or not turns or int(turns) > _OPENING_TURNS else 0}


def play_match(
    run: TrainingRun, one: str, two: str, *, games: int, name: str, workers: int | None, on_event: OnEvent
) -> Match:  # fmt: skip
    """A match of an even number of games; one that is stored is continued. Returns the score of `one`."""
    recipe = run.recipe
    game, seed = str(recipe["game"]), f"{recipe['seed']}"
    result = competition.benchmark(
        one, two, games=games + games % 2, db=run.db, on_event=on_event, game=game, seed=seed, name=name,
        workers=workers, **opening_options(game),
    )  # fmt: skip
    _refuse_faults(run, result.summary.league, agent=result.match.one)
    return result.match


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """How the ladder of a run is played; None: as its recipe says."""

    run: TrainingRun
    games: int | None = None
    anchors: Sequence[str] = ()
    player: str | None = None
    workers: int | None = None
    on_game: OnTraining = lambda _: None

    def play(self, generation: int) -> list[LadderPoint]:
        """Play one generation against all anchors; points that are stored with as many games are not played again."""
        recipe = self.run.recipe
        player = str(recipe["player"]) if self.player is None else self.player
        games = self.games or int(recipe["ladder_games"])
        minutes = {point.generation: point.minutes for point in self.run.curve()}
        if generation and generation not in minutes:
            last = max(minutes, default=0)
            raise BadSettings(f"the run {self.run.name} has no generation {generation}; the last is {last}")
        stored = {(point.generation, point.anchor, point.player): point for point in self.run.ladder()}
        points = []
        for anchor in self.anchors or self._stored_anchors(recipe["anchors"]):
            known = stored.get((generation, anchor, player))
            if known is None or known.games < games:
                match = self._match(generation, anchor, player, games)
                known = _point(match, generation, anchor, player, minutes.get(generation, 0.0))
                self.run.add_to_ladder(known)
            points.append(known)
        return points

    def _stored_anchors(self, anchors: Sequence[str]) -> Sequence[str]:
        """The anchors that the folder of the run names; a program is not started because a file says so."""
        for anchor in anchors:
            if anchor not in self.run.given and names_program(anchor):
                raise BadSettings(
                    f"the run {self.run.name} names the program of an anchor: {plain(anchor, limit=100)}; "
                    f"if you trust its folder, add --trust-file, or name the anchor by --against"
                )
        return anchors

    def _match(self, generation: int, anchor: str, player: str, games: int) -> Match:
        place = self.run.folder / "agents" / f"g{generation:06}"
        self.run.export(place, generation=generation)
        one = f"{place}:{player}" if player else str(place)
        name = f"ladder-{generation:06}-{anchor}-{player}-{games}"

        def pass_on(event: Event) -> None:
            if isinstance(event, GameStored):
                assert event.total is not None  # a match has one
                self.on_game(LadderGame(generation=generation, anchor=anchor, done=event.done, total=event.total))

        return play_match(self.run, one, anchor, games=games, name=name, workers=self.workers, on_event=pass_on)


def decide(run: TrainingRun, challenge: Line, *, workers: int | None = None) -> dict[str, Any]:
    """Play the match of a gate; returns the verdict that the learning process waits for."""
    options = f":{challenge['player']}" if challenge["player"] else ""
    one, two = (f"{challenge[side]}{options}" for side in ("candidate", "best"))
    name, games = f"gate-{challenge['generation']:06}", int(challenge["games"])
    if challenge["kind"] == "sprt":
        recipe = run.recipe
        game = str(recipe["game"])
        result = competition.match(
            one, two, sprt=_GATE_ELO, games=games, db=run.db, on_event=_ignore, game=game, seed=f"{recipe['seed']}",
            name=name, workers=workers, **opening_options(game),
        )  # fmt: skip
        score = result.match.overall
        return {"accepted": result.course.as_dict()["verdict"] == "H1", "score": score.mean, "games": score.games}
    match = play_match(run, one, two, games=games, name=name, workers=workers, on_event=_ignore)
    accepted = match.overall.mean >= float(challenge["score"])
    return {"accepted": accepted, "score": match.overall.mean, "games": match.overall.games}


def _refuse_faults(run: TrainingRun, league: str, *, agent: str) -> None:
    """Our own agent must not break a rule: its score would say nothing about what it has learned."""
    for game in load_results(run.db).games(league, agent=agent, faults=True):
        fault = game.record.fault
        seat = "first" if game.first == agent else "second"
        if fault is not None and fault.player == seat:
            raise TrainingFailed(
                f"the trained agent broke the rule {fault.rule}: {fault.detail}; see "
                f"`arena why {game.id} --db {run.db}`, and remove that file when the cause is gone"
            )


def _point(match: Match, generation: int, anchor: str, player: str, minutes: float) -> LadderPoint:
    return LadderPoint(
        generation=generation, minutes=minutes, anchor=anchor, games=match.overall.games, score=match.overall.mean,
        error=match.distinct.error, as_first=match.as_first.mean, as_second=match.as_second.mean, player=player,
    )  # fmt: skip


def _ignore(_event: Event) -> None:
    pass
