"""Export: an agent folder that `arena submit` takes, with the weights of one generation and where they come from."""

import json
import secrets
import shutil
from pathlib import Path
from typing import Any

from agents.self_learning import checkpoint as checkpoints
from agents.self_learning.errors import TrainingError
from agents.self_learning.run_folder import RunFolder, key_of

__all__ = ["agent_source", "export", "newest_player", "provenance"]

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
| made with | {made_with} |

All settings are in `provenance.json`.
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
    """Where the weights of a generation come from."""
    about, row = folder.notes.read("configuration"), folder.notes.read("curve").get(key_of(generation), {})
    return {
        "run": folder.path.name,
        "generation": generation,
        "recipe": folder.recipe_at(generation).as_dict(),
        "changes": list(folder.notes.read("changes").values()),
        "cpu_minutes": row.get("total_seconds", 0.0) / 60,
        "games": row.get("total_games", 0),
        "created": about.get("created", ""),
        "made_with": about.get("made_with", {}),
    }


def export(folder: RunFolder, *, generation: int, target: Path) -> Path:
    """Write the agent folder of a generation; one that is there already is replaced. Returns `target`."""
    weights = folder.weights(generation)
    if not weights.exists():
        raise TrainingError(f"the run {folder.path.name} has no weights of generation {generation}")
    recipe, facts = folder.recipe_at(generation), provenance(folder, generation)
    readme = _README.format(
        title=target.name, game=recipe.game, learner=recipe.learner, run=facts["run"], generation=generation,
        seed=recipe.run.seed, minutes=facts["cpu_minutes"], games=facts["games"],
        made_with=", ".join(f"{name} {version}" for name, version in facts["made_with"].items()),
    )  # fmt: skip
    draft = target.with_name(f".{target.name}-{secrets.token_hex(4)}")
    try:
        draft.mkdir(parents=True)
        (draft / "agent.py").write_text(recipe.make_learner().agent(), encoding="utf-8")
        (draft / "weights.bin").write_bytes(weights.read_bytes())
        (draft / "README.md").write_text(readme, encoding="utf-8")
        (draft / "provenance.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target
