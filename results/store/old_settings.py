"""Migration 4: the settings of a league, as JSON under the keys that league files use."""

import json
import sqlite3
from typing import Any, Final

from games.base import join_parameters

__all__ = ["rename_settings"]

_RENAMED: Final = {
    "game version": "game-version",
    "opening turns": "opening-turns",
    "suspend after": "suspend-after",
}


def rename_settings(connection: sqlite3.Connection) -> None:
    """Write the settings of every league under their new keys. Values that an old file does not have stay away."""
    for number, text in connection.execute("SELECT id, settings FROM league").fetchall():
        try:
            old = json.loads(text)
        except ValueError:  # damaged; reading the league says so
            continue
        if isinstance(old, dict):
            renamed = json.dumps(_renamed(old), ensure_ascii=False, separators=(",", ":"))
            connection.execute("UPDATE league SET settings = ? WHERE id = ?", (renamed, number))


def _renamed(old: dict[str, Any]) -> dict[str, Any]:
    new = {_RENAMED.get(key, key): value for key, value in old.items()}
    parameters = new.pop("parameters", None)
    if "game" in new and isinstance(parameters, dict):
        new["game"] = join_parameters(str(new["game"]), parameters)
    if "confined" in new:
        new["trust-agents"] = not new.pop("confined")
    # Trusted players had no limits: these values are not used.
    return {key: value for key, value in new.items() if value is not None or key not in ("memory", "scratch")}
