"""Comparing runs: what they did, how they differ, and what they reached at the same CPU time."""

from collections.abc import Sequence
from typing import Any

from arena.training.runs import LadderPoint, TrainingRun

__all__ = ["compare"]


def compare(runs: Sequence[TrainingRun]) -> dict[str, Any]:
    """The runs side by side, for JSON and for a table; settings that are the same in all of them are left out."""
    recipes = [run.recipe for run in runs]
    keys = list(dict.fromkeys(key for recipe in recipes for key in recipe))
    differing = [key for key in keys if len({str(recipe.get(key)) for recipe in recipes}) > 1]
    return {
        "runs": [_facts(run) for run in runs],
        "settings": {key: [recipe.get(key) for recipe in recipes] for key in differing},
        "ladder": _ladder(runs),
    }


def _facts(run: TrainingRun) -> dict[str, Any]:
    points = run.curve()
    last = points[-1] if points else None
    return {
        "run": run.name,
        "generation": last.generation if last else 0,
        "cpu_minutes": last.minutes if last else 0.0,
        "games": last.total_games if last else 0,
        "positions": last.total_positions if last else 0,
        "loss": last.losses.get("loss") if last else None,
        "validation": last.validation.get("loss") if last else None,
    }


def _ladder(runs: Sequence[TrainingRun]) -> list[dict[str, Any]]:
    """For each anchor, the last point of each run within the CPU time that all of them have."""
    ladders = [run.ladder() for run in runs]
    anchors = [{(point.anchor, point.player) for point in ladder} for ladder in ladders]
    found = []
    for anchor, player in sorted(set.union(*anchors)):
        chosen = [[one for one in ladder if (one.anchor, one.player) == (anchor, player)] for ladder in ladders]
        if all(chosen):
            limit = min(max(point.minutes for point in points) for points in chosen)
            scores = [_score(points, limit) for points in chosen]
            found.append({"anchor": anchor, "player": player, "cpu_minutes": limit, "scores": scores})
    return found


def _score(points: Sequence[LadderPoint], limit: float) -> dict[str, Any]:
    within = [point for point in points if point.minutes <= limit] or [min(points, key=lambda point: point.minutes)]
    best = max(within, key=lambda point: point.minutes)
    return {"minutes": best.minutes, "score": best.score, "error": best.error, "games": best.games}
