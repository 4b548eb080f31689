"""The native modules. They are optional: without them the games use their Python rules."""

import compileall
import platform
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

#: The source file of each module. It includes the headers that it needs.
MODULES = {
    "games._native_chess": "games/_kernel/chess.cpp",
    "games._native_microchess": "games/_kernel/microchess.cpp",
    "games._native_othello": "games/_kernel/othello.cpp",
    "games._native_gomoku": "games/_kernel/gomoku.cpp",
    "games._native_mushroom": "games/_kernel/mushroom.cpp",
    "games._native_go": "games/_kernel/go.cpp",
    "agents.core._core": "agents/core/core.cpp",
    "agents.endings._native": "agents/endings/native.cpp",
    "agents.gomoku._native": "agents/gomoku/native.cpp",
    "agents.mushroom._native": "agents/mushroom/native.cpp",
    "agents.othello._native": "agents/othello/native.cpp",
    "agents.puct._native": "agents/puct/native.cpp",
    "agents.self_learning._forest": "agents/self_learning/forest.cpp",
    "agents.self_learning._value": "agents/self_learning/value.cpp",
}
HEADERS = sorted(str(path) for folder in ("games/_kernel", "agents") for path in Path(folder).rglob("*.hpp"))
# From version 2 of the instruction set on, counting bits is one instruction. The kernels do it all the time.
MACHINE = ["-march=x86-64-v2"] if platform.machine() in {"x86_64", "AMD64"} else []


class BuildInPlace(build_ext):
    """Builds the native modules, and in the folder of the sources also the bytecode of the agents.

    Only players import agents, and a player can write no file: it would compile them at every start.
    """

    def run(self) -> None:
        """Build everything."""
        super().run()
        if self.inplace:
            compileall.compile_dir("agents", quiet=2)


setup(
    cmdclass={"build_ext": BuildInPlace},
    ext_modules=[
        Extension(
            module,
            [source],
            depends=HEADERS,
            include_dirs=["games/_kernel"],
            language="c++",
            extra_compile_args=["-std=c++20", "-O3", "-g0", "-fvisibility=hidden", *MACHINE],
            extra_link_args=["-Wl,--as-needed", "-static-libgcc", "-static-libstdc++"],
            optional=True,
        )
        for module, source in MODULES.items()
        if Path(source).exists()
    ],
)
