"""Agents that use files that they were not given. They print what they find out, so that a test can check it."""

import ctypes
import os
import site
import sys
from pathlib import Path

from agents.basic.debug_agent import FirstMoveAgent as Honest

LIBC = ctypes.CDLL(None, use_errno=True)


class Aimed(Honest):
    """An agent whose target is an option."""

    def __init__(self, name, color, path=""):
        super().__init__(name, color)
        self.path = path


class ReadsPasswords(Honest):
    def act(self, state):
        print("learnt", Path("/etc/passwd").read_text()[:5])
        return super().act(state)


class ReadsShadowByNumber(Honest):
    def act(self, state):
        if LIBC.openat(-100, b"/etc/shadow", os.O_RDONLY) < 0:
            raise OSError(ctypes.get_errno(), "openat")
        print("learnt")
        return super().act(state)


class ReadsThroughFolder(Honest):
    """Opens the root folder with O_PATH first."""

    def act(self, state):
        root = os.open("/", os.O_PATH)
        print("learnt", os.read(os.open("etc/passwd", os.O_RDONLY, dir_fd=root), 5))
        return super().act(state)


class ReadsPath(Aimed):
    def act(self, state):
        print("learnt", Path(self.path).read_bytes()[:16])
        return super().act(state)


class ReadsBeside(Aimed):
    """Leaves its own folder with `..`."""

    def act(self, state):
        here = Path(__file__).parent
        print("learnt", Path(f"{here}/../../../{self.path}").read_bytes()[:16])
        return super().act(state)


class ListsStages(Honest):
    def act(self, state):
        print("learnt", os.listdir(Path(__file__).parent.parent))
        return super().act(state)


class ListsRoot(Honest):
    def act(self, state):
        print("learnt", os.listdir("/"))
        return super().act(state)


class ListsFolderAbove(Honest):
    def act(self, state):
        print("learnt", os.listdir(".."))
        return super().act(state)


class WritesPath(Aimed):
    def act(self, state):
        Path(self.path).write_text("touched")
        return super().act(state)


class AppendsPath(Aimed):
    def act(self, state):
        with open(self.path, "r+b") as opened:
            opened.write(b"touched")
        return super().act(state)


class WritesTmp(Honest):
    def act(self, state):
        Path("/tmp/hostile-was-here").write_text("touched")
        return super().act(state)


class WritesOwnSource(Honest):
    def act(self, state):
        with open(__file__, "a") as opened:
            opened.write("# touched")
        return super().act(state)


class WritesSitePackages(Honest):
    def act(self, state):
        folder = next(place for place in site.getsitepackages() if os.path.isdir(place))
        (Path(folder) / "hostile_was_here.pth").write_text("touched")
        return super().act(state)


class WritesRules(Honest):
    def act(self, state):
        with open(sys.modules["games.base"].__file__, "a") as opened:
            opened.write("# touched")
        return super().act(state)


class WritesShm(Honest):
    def act(self, state):
        Path("/dev/shm/hostile-was-here").write_text("touched")
        return super().act(state)


class NamelessFile(Honest):
    def act(self, state):
        os.open("/var/tmp", os.O_TMPFILE | os.O_RDWR)
        return super().act(state)


class Creates(Honest):
    def act(self, state):
        if LIBC.creat(b"/var/tmp/hostile-was-here", 0o600) < 0:
            raise OSError(ctypes.get_errno(), "creat")
        return super().act(state)


class Truncates(Aimed):
    def act(self, state):
        os.truncate(self.path, 0)
        return super().act(state)


class Removes(Aimed):
    def act(self, state):
        os.unlink(self.path)
        return super().act(state)


class Renames(Aimed):
    def act(self, state):
        os.rename(self.path, f"{self.path}.away")
        return super().act(state)


class MakesFolder(Honest):
    def act(self, state):
        os.mkdir("/var/tmp/hostile-was-here")
        return super().act(state)


class MakesPipe(Honest):
    def act(self, state):
        os.mkfifo("/var/tmp/hostile-was-here")
        return super().act(state)


class Symlinks(Honest):
    def act(self, state):
        os.symlink("/etc/passwd", "/var/tmp/hostile-was-here")
        return super().act(state)


class HardLinks(Aimed):
    def act(self, state):
        os.link(self.path, f"{self.path}.too")
        return super().act(state)


class SymlinksFromScratch(Honest):
    """Makes a link and follows it if that succeeds."""

    def act(self, state):
        link = os.environ["TMPDIR"] + "/link"
        os.symlink("/etc/passwd", link)
        print("linked", flush=True)
        try:
            print("learnt", Path(link).read_text()[:5])
        except OSError as error:
            print("refused", error.errno)
        return super().act(state)


class HardLinksFromScratch(Honest):
    def act(self, state):
        os.link("/etc/passwd", os.environ["TMPDIR"] + "/link")
        return super().act(state)


class ClimbsOutOfScratch(Honest):
    def act(self, state):
        print("learnt", Path(os.environ["TMPDIR"] + "/../../etc/passwd").read_text()[:5])
        return super().act(state)


class ChangesMode(Aimed):
    def act(self, state):
        os.chmod(self.path, 0o777)
        return super().act(state)


class ChangesModeOfOpen(Honest):
    def act(self, state):
        os.fchmod(os.open(__file__, os.O_RDONLY), 0o777)
        return super().act(state)


class ChangesOwner(Aimed):
    def act(self, state):
        os.chown(self.path, os.getuid(), os.getgid())
        return super().act(state)


class ChangesTimes(Aimed):
    def act(self, state):
        os.utime(self.path, (0, 0))
        return super().act(state)


class ChangesAttributes(Aimed):
    def act(self, state):
        os.setxattr(self.path, "user.hostile", b"touched")
        return super().act(state)


class Locks(Honest):
    """Refused without a fault: honest libraries do this too."""

    def act(self, state):
        import fcntl

        try:
            fcntl.flock(os.open(__file__, os.O_RDONLY), fcntl.LOCK_SH)
            print("locked")
        except PermissionError:
            print("refused")
        return super().act(state)


class ReadsParentEnvironment(Honest):
    def act(self, state):
        print("learnt", Path(f"/proc/{os.getppid()}/environ").read_bytes()[:5])
        return super().act(state)


class ListsParentDescriptors(Honest):
    def act(self, state):
        print("learnt", os.listdir(f"/proc/{os.getppid()}/fd"))
        return super().act(state)


class ReadsParentMemory(Honest):
    def act(self, state):
        os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR)
        print("learnt")
        return super().act(state)


class ReadsTerminal(Honest):
    def act(self, state):
        os.open("/dev/console", os.O_RDWR)
        return super().act(state)


class OddPaths(Honest):
    """Invalid paths: they give the usual errno and break nothing."""

    def act(self, state):
        numbers = []
        for path in (
            None,
            b"",
            b"x" * 300,
            b"y/" * 5000,
            b"z" * 4095,
            b"/nowhere/\xff\xfe",
            b"/%s%n%d/{}",
            b"/no\n\x1bwhere",
        ):
            for call in (lambda path: LIBC.open(path, 0), lambda path: LIBC.openat(-100, path, 0)):
                ctypes.set_errno(0)
                call(path)
                numbers.append(ctypes.get_errno())
        for address in (1, 2**63 - 8, 2**64 - 1):
            ctypes.set_errno(0)
            LIBC.openat(-100, ctypes.c_void_p(address), 0)
            numbers.append(ctypes.get_errno())
        ctypes.set_errno(0)
        LIBC.openat(12345, b"x", 0)
        numbers.append(ctypes.get_errno())
        print(numbers)
        return super().act(state)


class OddNamesOfTheForbidden(Aimed):
    """An existing file whose name is not valid text."""

    def act(self, state):
        LIBC.open(os.fsencode(self.path) + b"/\xff%s\x1b[31m", 0)
        return super().act(state)


class ProbesLikeALibrary(Honest):
    def act(self, state):
        for path in ("/proc/meminfo", "/proc/self/environ", "/sys/devices", "/etc/nsswitch.conf"):
            try:
                open(path).close()
            except OSError as error:
                print(path, error.errno)
        return super().act(state)


class ProbesThenForks(ProbesLikeALibrary):
    def act(self, state):
        super().act(state)
        os.fork()


class ProbesForEver(Honest):
    """Tries to fill the memory of the process that notes refused calls."""

    def act(self, state):
        for _ in range(2_000):
            LIBC.open(b"/sys/" + b"x" * 100, 0)
        return super().act(state)
