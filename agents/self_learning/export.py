"""Export: the weights of one generation with where they come from, as an agent folder or to come with the arena."""

import hashlib
import json
import secrets
import shutil
from pathlib import Path
from typing import Any, Final

from agents.self_learning import checkpoint as checkpoints
from agents.self_learning.arrays import write_atomic
from agents.self_learning.errors import BadRecipe, TrainingError
from agents.self_learning.recipe import Recipe, shipped
from agents.self_learning.run_folder import RunFolder, key_of
from games.base import split_parameters

__all__ = [
    "MOST_SHIPPED_BYTES", "SHIPPED_WEIGHTS", "agent_source", "as_shipped", "export", "newest_player", "provenance",
    "ship",
]  # fmt: skip

#: The folder of the weights that come with the arena, and how large one of its files may be.
SHIPPED_WEIGHTS: Final = Path(__file__).parent / "weights"
MOST_SHIPPED_BYTES: Final = 2_000_000
#: Settings that may differ from the shipped recipe.
_FREE: Final = ("seed", "anchors", "ladder_games")

_README = """# {title}

An agent for {game}, trained by self-play with the learner `{learner}`. `agent.py` holds the class, `weights.bin` the
net. It plays in the sandbox and needs no torch:

    arena check {title}/ --game {game}
    arena submit {title}/ --game {game}

| | |
|---|---|
| run | {run}, generation {generation} |
| seed | {seed} |
| CPU-minutes of self-play and training | {minutes:.1f} |
| games of self-play | {games} |
| commit | {commit} |
| made with | {made_with} |

All settings, and the points of the ladder, are in `provenance.json`.
"""


def agent_source(module: str, name: str, *, about: str) -> str:
    """The text of an `agent.py` whose class derives from a bundled one that takes `weights`, the path of a file."""
    return (
        f'"""{about}"""\n\n'
        "from pathlib import Path\n\n"
        f"from {module} import {name}\n\n\n"
        f"class Trained({name}):\n"
        f'    """{about} Its weights are in the file beside this one."""\n\n'
        "    def __init__(self, name, color, **options):\n"
        '        weights = str(Path(__file__).with_name("weights.bin"))\n'
        '        super().__init__(name, color, **{"weights": weights, **options})\n'
    )


def newest_player(folder: RunFolder) -> int:
    """The generation that plays now: the newest one, or with a gate the last one that passed it."""
    state = checkpoints.newest(folder.checkpoints)
    if state is None:
        raise TrainingError(f"the run {folder.path.name} has not finished its first generation yet")
    return state.players[-1]


def provenance(folder: RunFolder, generation: int) -> dict[str, Any]:
    """Where the weights of a generation come from: code, settings, seed, cost, and what the ladder has measured.

    `created` is when the run began, `trained` when the generation ended. Points of the ladder up to this generation are
    included; their `error` is half of the 95 % interval.
    """
    about, row = folder.notes.read("configuration"), folder.notes.read("curve").get(key_of(generation), {})
    made_with, recipe = dict(about.get("made_with", {})), folder.recipe_at(generation)
    return {
        "run": folder.path.name,
        "generation": generation,
        "sha256": hashlib.sha256(_weights(folder, generation)).hexdigest(),
        "seed": recipe.run.seed,
        "cpu_minutes": row.get("total_seconds", 0.0) / 60,
        "games": row.get("total_games", 0),
        "created": about.get("created", ""),
        "trained": row.get("when", ""),
        "commit": made_with.pop("commit", ""),
        "made_with": made_with,
        "recipe": recipe.as_dict(),
        "changes": list(folder.notes.read("changes").values()),
        "ladder": [point for point in folder.notes.read("ladder").values() if point["generation"] <= generation],
    }


def export(folder: RunFolder, *, generation: int, target: Path) -> Path:
    """Write the agent folder of a generation; one that is there already is replaced. Returns `target`."""
    weights = _weights(folder, generation)
    recipe, facts = folder.recipe_at(generation), provenance(folder, generation)
    readme = _README.format(
        title=target.name, game=recipe.game, learner=recipe.learner, run=facts["run"], generation=generation,
        seed=recipe.run.seed, minutes=facts["cpu_minutes"], games=facts["games"],
        commit=facts["commit"] or "unknown",
        made_with=", ".join(f"{name} {version}" for name, version in facts["made_with"].items()),
    )  # fmt: skip
    draft = target.with_name(f".{target.name}-{secrets.token_hex(4)}")
    try:
        draft.mkdir(parents=True)
        (draft / "agent.py").write_text(recipe.make_learner().agent(), encoding="utf-8")
        (draft / "weights.bin").write_bytes(weights)
        (draft / "README.md").write_text(readme, encoding="utf-8")
        (draft / "provenance.json").write_bytes(_as_json(facts))
        if target.exists():
            shutil.rmtree(target)
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target


def ship(folder: RunFolder, *, generation: int, target: Path = SHIPPED_WEIGHTS) -> Path:
    """Make the weights of a generation those that come with the arena for its game; returns their path.

    Where they come from is written beside them. Anybody must be able to train them again: the recipe must be the
    shipped one, except for seed and ladder, and the generation must have been measured.
    """
    recipe, weights, facts = folder.recipe_at(generation), _weights(folder, generation), provenance(folder, generation)
    path = shipped(recipe.game, recipe.learner)
    if path is None:
        raise BadRecipe(f"no recipe for {recipe.game} with {recipe.learner} comes with the arena: add it to recipes/")
    if differs := recipe.differences(as_shipped(recipe, path)):
        raise BadRecipe(f"the run differs from the recipe {path.name}: {'; '.join(differs)}")
    if not any(point["generation"] == generation for point in facts["ladder"]):
        run = folder.path.name
        raise TrainingError(f"generation {generation} was not measured yet: arena train ladder {run}")
    if len(weights) > MOST_SHIPPED_BYTES:
        raise TrainingError(f"the weights have {len(weights):,} bytes; at most {MOST_SHIPPED_BYTES:,} are shipped")
    made = target / f"{recipe.learner}-{split_parameters(recipe.game)[0]}.bin"
    write_atomic(made, weights)
    write_atomic(made.with_suffix(".json"), _as_json(facts))
    return made


def as_shipped(recipe: Recipe, path: Path) -> Recipe:
    """The recipe in a file, with the seed and the ladder of another one: they do not change how a run learns."""
    return Recipe.from_file(path).changed({key: getattr(recipe.run, key) for key in _FREE})


def _weights(folder: RunFolder, generation: int) -> bytes:
    try:
        return folder.weights(generation).read_bytes()
    except FileNotFoundError as error:
        raise TrainingError(f"the run {folder.path.name} has no weights of generation {generation}") from error


def _as_json(facts: dict[str, Any]) -> bytes:
    return (json.dumps(facts, indent=1) + "\n").encode()
