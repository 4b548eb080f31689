"""The sandbox needs no privileges: its tests pass as an ordinary user, on the system's own Python."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PYTHON = "/usr/bin/python3"
NOBODY = 65534
#: Set for the inner run: the virtual environment in which it must run.
INNER = "ARENA_TEST_PREFIX"
TORCH = "torch==2.13.0"
SANDBOX = ("faults", "files", "honest", "time", "bites", "evasion", "lifetime", "places", "programs", "unprivileged")
TESTED = ("referee/test_engine_player.py", *(f"sandbox/test_{name}.py" for name in SANDBOX))

if prefix := os.environ.get(INNER):

    def test_this_run_has_no_privilege_and_its_own_python() -> None:
        status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
        assert os.getuid() == os.geteuid() != 0
        assert {status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
        if os.getuid() == NOBODY:  # root became it for this run
            assert status["CapBnd"] == "0" * 16
            assert os.getgroups() == []
        assert sys.prefix == prefix
        assert sys.base_prefix == "/usr"
        for package in ("agents", "arena", "games", "results"):
            file = sys.modules[package].__file__ or ""
            assert file.startswith(f"{prefix}/lib/"), "an editable installation"

else:

    @pytest.fixture
    def folder() -> Iterator[Path]:
        """A folder that everybody may read."""
        made = Path(tempfile.mkdtemp(prefix="arena-unprivileged-", dir="/var/tmp"))
        made.chmod(0o755)
        yield made
        for stage in made.glob("home/tmp/*/home/stages/**/"):  # read-only; root could remove them as they are
            stage.chmod(0o700)
        shutil.rmtree(made)

    def run(*words: str | Path, **how: object) -> str:
        ran = subprocess.run(
            [str(word) for word in words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **how,
        )  # type: ignore[call-overload]
        assert ran.returncode == 0, ran.stdout[-8000:]
        return ran.stdout

    def install(python: Path, *words: str | Path) -> None:
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *words)

    def link(source: str, target: str) -> None:
        """As good as a copy of what nobody changes, and much faster; across file systems there are only copies."""
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    def borrow(packages: Path, library: Path) -> None:
        """Give a virtual environment what is installed in ours, but for the project itself."""
        own = shutil.ignore_patterns("__editable__*", "arena_league*")
        shutil.copytree(packages, library / "site-packages", copy_function=link, ignore=own, dirs_exist_ok=True)

    def seed(source: Path, suffix: str) -> None:
        """Put the native modules where a build looks for them: it builds what is older than its sources."""
        built = source / "build" / f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
        for module in source.rglob(f"*{suffix}"):
            target = built / module.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            module.rename(target)

    @pytest.mark.xdist_group("unprivileged")
    def test_the_tests_of_the_sandbox_pass_without_privileges(folder: Path) -> None:
        version = run(PYTHON, "-c", "import sys; print(*sys.version_info[:2])").split()
        assert (int(version[0]), int(version[1])) >= (3, 11), f"{PYTHON} is older than Python 3.11"
        source, checks, home = folder / "source", folder / "checks", folder / "home"
        shutil.copytree(
            ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "tests", "*.egg-info", "__pycache__")
        )
        shutil.copytree(ROOT / "tests", checks / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "setup.cfg", checks)
        home.mkdir()
        drop: list[str] = []
        if os.getuid() == 0:
            os.chown(home, NOBODY, NOBODY)
            drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
            drop.append("--bounding-set=-all")
        python = folder / "venv" / "bin" / "python"
        suffix = run(PYTHON, "-c", "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))").strip()
        if suffix == sysconfig.get_config_var("EXT_SUFFIX"):  # then what is installed and built here fits there too
            run(PYTHON, "-m", "venv", "--without-pip", folder / "venv")
            borrow(Path(sysconfig.get_path("purelib")), folder / "venv" / "lib" / f"python{'.'.join(version)}")
            seed(source, suffix)
            install(python, "--no-deps", "--no-build-isolation", source)
        else:
            run(PYTHON, "-m", "venv", folder / "venv")
            install(python, source, "pytest", "pytest-xdist", TORCH)
        printed = run(
            # One after the other: they share a user, and some of their agents may do to it what a user can do.
            *drop, python, "-P", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
            f"--basetemp={home}/tmp", f"--rootdir={checks}", "-c", checks / "setup.cfg",
            *(checks / "tests" / "arena" / name for name in TESTED),
            cwd=home, env={"PATH": os.environ["PATH"], "HOME": str(home), INNER: str(folder / "venv")},
        )  # fmt: skip
        summary = printed.splitlines()[-1]
        assert re.fullmatch(r"\d+ passed in .*", summary), printed[-8000:]
        assert int(summary.split()[0]) > 200
