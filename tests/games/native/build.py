"""Builds the native modules of tests and benchmarks. A missing compiler is an error, not a reason to skip."""

import importlib.util
import os
import platform
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KERNELS = HERE.parents[2] / "games" / "_kernel"
MACHINE = ["-march=x86-64-v2"] if platform.machine() in {"x86_64", "AMD64"} else []


def build(name: str, folder: Path) -> Any:
    """Build `name`.cpp, which lies beside this file, in `folder` and load it. `CXXFLAGS` adds compiler flags."""
    library = folder / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    includes = [f"-I{KERNELS}", f"-I{sysconfig.get_paths()['include']}"]
    flags = ["-std=c++20", "-O3", "-g0", "-fPIC", "-shared", *MACHINE, *os.environ.get("CXXFLAGS", "").split()]
    command = [os.environ.get("CXX", "g++"), *flags, *includes, str(HERE / f"{name}.cpp"), "-o", str(library)]
    # A preloaded library, as the tests of memory accesses have it, is not for the compiler.
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    subprocess.run(command, check=True, env=environment)
    spec = importlib.util.spec_from_file_location(name, library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
