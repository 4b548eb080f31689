"""What `--dry-run` prints."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from arena.cli.lines import label
from arena.competition.forecast import forecast
from arena.competition.plan import Plan
from arena.execution.workers import cores
from results.store.store import Store

__all__ = ["schedule_text"]


def schedule_text(plan: Plan, db: Path, *, workers: int | None, as_json: bool) -> str:
    """The schedule of a league and how long it may take, going by the games in this file if there is one."""
    names = [label(entrant.name) for entrant in plan.entrants]
    usual = min(len(cores()), len(names))
    found = forecast(plan, workers=workers or usual, paces=_paces(plan, db))
    if as_json:
        pairings = [
            {"key": pairing.key, "first": names[pairing.first - 1],
             "second": None if pairing.is_bye else names[pairing.second - 1], "round": pairing.round + 1}
            for pairing in found.pairings
        ]  # fmt: skip
        return json.dumps(asdict(found) | {"pairings": pairings})
    width = max(len(name) for name in names)
    lines = [
        f"{pairing.key:<9} {names[pairing.first - 1]:<{width}}  "
        + ("has a bye" if pairing.is_bye else f"- {names[pairing.second - 1]}")
        for pairing in found.pairings
    ]
    return "\n".join([*lines, "", found.text()])


def _paces(plan: Plan, db: Path) -> Mapping[tuple[str, str], float]:
    if not db.exists():
        return {}
    with Store.read(db) as store:
        return store.paces(plan.game.name, seconds=plan.seconds)
