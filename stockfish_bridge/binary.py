"""Finding the engine binaries."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stockfish_bridge.errors import EngineMissing

__all__ = ["FAIRY_STOCKFISH", "STOCKFISH", "Binary"]

#: Debian installs games here; the PATH of a service often lacks it.
_GAMES: Final = "/usr/games"


@dataclass(frozen=True, slots=True)
class Binary:
    """An engine by its file name, which is also the name of its Debian package."""

    name: str
    variable: str

    def find(self, path: str = "", *, environment: Mapping[str, str] | None = None) -> str:
        """The absolute path: `path`, else the one in the environment variable, else found in PATH and /usr/games."""
        environment = os.environ if environment is None else environment
        if path:
            return self._given(path, by="path")
        if variable := environment.get(self.variable, ""):
            return self._given(variable, by=self.variable)
        places = [place for place in (environment.get("PATH", os.defpath), _GAMES) if place]
        found = shutil.which(self.name, path=os.pathsep.join(places))
        if found is None:
            raise EngineMissing(
                f"no {self.name} on PATH or in {_GAMES}: install it (Debian: apt-get install {self.name}),"
                f" give stockfish:path=FILE or set {self.variable}"
            )
        return str(Path(found).resolve())

    def _given(self, path: str, *, by: str) -> str:
        wrong = f"no engine at {path!r}, given by {by}"
        try:
            file = Path(path).expanduser().resolve()
            if not file.is_file():
                why = "it is not a file" if file.exists() else "there is no such file"
                raise EngineMissing(f"{wrong}: {why}; give the path of the {self.name} binary")
        except (OSError, RuntimeError, ValueError) as error:  # too long, a loop of links, no such user, a null byte
            raise EngineMissing(f"{wrong}: this is not a path") from error
        if not os.access(file, os.X_OK):
            raise EngineMissing(f"{wrong}: the file cannot be executed (chmod +x)")
        return str(file)


STOCKFISH: Final = Binary("stockfish", "ARENA_STOCKFISH")
FAIRY_STOCKFISH: Final = Binary("fairy-stockfish", "ARENA_FAIRY_STOCKFISH")
