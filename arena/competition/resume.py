"""Continuing a stored league: with the copies of its entrants that it has, and the rounds that were added to it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.competition.plan import Plan, make_plan
from arena.competition.settings import Settings, read
from arena.entrants.entrant import Entrant
from arena.entrants.games import given_game
from arena.entrants.recall import recall, recalled
from arena.entrants.staging import stage_of
from arena.errors import BadSettings
from games.base import Game, join_parameters, load, load_stored, split_parameters
from results.league import League
from results.record import EntrantRecord

__all__ = ["check_trusted", "continuing", "newer_versions", "stored_plan", "with_limits"]


def continuing(plan: Plan, stored: League, *, home: Path) -> Plan:
    """The plan as it continues this league.

    Submitted agents play with the stored copies of their code, whatever was submitted since. Rounds that were added
    count. Parameters of the game that were not given are those of the stored league: an earlier version of the game may
    have had other defaults.
    """
    return _with_stored_copies(_with_added_rounds(_with_stored_rules(plan, stored), stored), stored, home=home)


def newer_versions(plan: Plan, continued: Plan) -> list[tuple[Entrant, Entrant]]:
    """The entrants that play another version in the league than the one that was named, with that one."""
    pairs = zip(continued.entrants, plan.entrants, strict=True)
    return [(stored, named) for stored, named in pairs if stored.is_submitted and stored.hash != named.hash]


def stored_plan(stored: League, given: Mapping[str, Any], *, home: Path, trust_file: bool) -> Plan:
    """The plan of a stored league, with the settings that are given besides; most of them may not differ."""
    if stored.kind != "league":
        what = "a match of two" if stored.kind == "benchmark" else "a single game"
        raise BadSettings(f"{stored.name} is {what}, not a league; give its command again, with --name {stored.name}")
    before = Settings.restored(stored.settings)
    check_trusted(before, trust_file=trust_file)
    if "game" in given:
        given = {**given, "game": given_game(str(given["game"]))}
        load(given["game"])  # from now on the results file can name it
    load_stored(before.game)
    try:
        changes = read(given, underscores=True)
    except ValueError as error:
        raise BadSettings(str(error)) from error
    founders = stored.entrants[: stored.founders]
    entrants = tuple(recalled(entrant, home=home, trust_file=trust_file) for entrant in founders)
    return make_plan("league", entrants, replace(before, **changes, trust_file=trust_file))


def check_trusted(settings: Settings, *, trust_file: bool) -> None:
    """Raise `BadSettings` if the results file says that agents run without the sandbox and is not trusted."""
    if settings.trust_agents and not trust_file:
        raise BadSettings(
            "according to the results file agents play without the sandbox; if you trust the file, add --trust-file"
        )


def _with_stored_rules(plan: Plan, stored: League) -> Plan:
    name, parameters = split_parameters(Settings.restored(stored.settings).game)
    _, was = split_parameters(str(stored.settings.get("game", "")))
    added = {key: value for key, value in parameters.items() if key not in was and key not in plan.given}
    if name != plan.game.name or not added:
        return plan
    game = join_parameters(name, {**plan.game.parameters, **added})
    return replace(make_plan(plan.kind, plan.entrants, replace(plan.settings, game=game)), given=plan.given)


def _with_added_rounds(plan: Plan, stored: League) -> Plan:
    before = Settings.restored(stored.settings)
    if plan.settings.format == "ladder":
        return replace(plan, settings=with_limits(plan.settings, before))
    if before.extended is None or before.rounds not in (plan.rounds, plan.rounds + before.extended):
        return plan
    return replace(plan, settings=replace(plan.settings, rounds=before.rounds, extended=before.extended))


def with_limits(settings: Settings, before: Settings) -> Settings:
    """The settings of a ladder, with the stored limits where none were given, or the same before it was extended."""
    games = settings.games
    if games is None or (before.extended and before.games == games + before.extended):
        settings = replace(settings, games=before.games, extended=before.extended)
    return settings if settings.until is not None else replace(settings, until=before.until)


def _with_stored_copies(plan: Plan, stored: League, *, home: Path) -> Plan:
    was = {entrant.name: entrant for entrant in stored.entrants[: stored.founders]}
    copies = (_stored_copy(entrant, was.get(entrant.name), plan.game, home=home) for entrant in plan.entrants)
    return replace(plan, entrants=tuple(copies))


def _stored_copy(entrant: Entrant, was: EntrantRecord | None, game: Game, *, home: Path) -> Entrant:
    """The entrant as it is stored, if both are versions of a submitted agent and the stored files are still there."""
    if was is None or not was.version or not entrant.is_submitted:
        return entrant
    is_other = (was.version, was.hash) != (entrant.version, entrant.hash)
    return recall(was, game, home=home) if is_other and stage_of(was.hash, home=home) is not None else entrant
