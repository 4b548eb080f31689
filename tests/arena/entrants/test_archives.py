"""What comes over the network as a file or an archive: folders as they were, or one clear line and nothing written."""

import io
import stat
import zipfile

import pytest

from arena.entrants.archives import unpack
from arena.errors import BadSettings

MOST = 100_000


def archive(*entries, **how):
    """A zip archive of pairs of a name, or a ZipInfo, and data."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, **how) as file:
        for name, data in entries:
            file.writestr(name, data)
    return made.getvalue()


def special(name, mode):
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def encrypted():
    """The bit that says so is enough."""
    data = bytearray(archive(("a.py", b"x")))
    for header, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(header) + flags] |= 1
    return bytes(data)


def lying(data):
    """An archive whose directory says that its file has one byte."""
    found = bytearray(data)
    at = found.index(b"PK\x01\x02") + 24
    found[at : at + 4] = (1).to_bytes(4, "little")
    return bytes(found)


def packed_by(method):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        file.writestr("a.py", b"x" * 1000)
    return made.getvalue()


@pytest.fixture
def into(tmp_path):
    (tmp_path / "outside").mkdir()
    folder = tmp_path / "inside"
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    "entries",
    [
        [("my_bot/__init__.py", b"1"), ("my_bot/data/a.bin", b"2")],
        [("__init__.py", b"1"), ("data/a.bin", b"2")],
        [("my_bot/", b""), ("my_bot/__init__.py", b"1"), ("my_bot/data/a.bin", b"2"), ("__MACOSX/._x", b"3"),
         ("my_bot/.DS_Store", b"4")],
    ],
    ids=["of a folder", "of its contents", "by a mac"],
)  # fmt: skip
def test_an_archive_of_a_folder_or_of_its_contents_becomes_the_folder(into, entries):
    folder = unpack("my_bot.zip", archive(*entries), into, most=MOST)
    assert folder == into / "my_bot"
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert found == {"__init__.py": b"1", "data/a.bin": b"2"}


def test_a_python_file_keeps_its_name_and_bytes(into):
    assert unpack("my_bot.py", b"x = 1\r\n", into, most=MOST).read_bytes() == b"x = 1\r\n"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (archive(("../outside/a.py", b"x")), "leads out of its folder"),
        (archive(("a/../../outside/a.py", b"x")), "leads out of its folder"),
        (archive(("/etc/a.py", b"x")), "leads out of its folder"),
        (archive(("a\\..\\b.py", b"x")), "leads out of its folder"),
        (archive(("C:/a.py", b"x")), "cannot be the name"),
        (archive(("a\x1b[2J.py", b"x")), "cannot be the name"),
        (archive(("a//b.py", b"x")), "cannot be the name"),
        (archive(("x" * 200, b"x")), "cannot be the name"),
        (archive((special("a.py", stat.S_IFLNK | 0o777), b"/etc/passwd")), "a link or another special file"),
        (archive((special("a.py", stat.S_IFIFO | 0o666), b"")), "a link or another special file"),
        (archive(("a.py", b"0" * (MOST + 1))), "larger than 100,000 bytes together"),
        (archive(*((f"{number}.py", b"0" * 30_000) for number in range(4))), "larger than 100,000 bytes together"),
        (archive(*((f"{number}.py", b"") for number in range(1001))), "more than 1000 entries"),
        (archive(("/".join("a" * 25), b"x")), "more than 20 levels deep"),
        (archive(("a", b"x"), ("a/b.py", b"x")), "twice, or as a file and as a folder"),
        (archive(("only/", b"")), "has no files"),
        (archive(), "has no files"),
        (encrypted(), "is encrypted"),
        (packed_by(zipfile.ZIP_LZMA), "unusual method"),
        (packed_by(zipfile.ZIP_BZIP2), "unusual method"),
        (lying(archive(("a.py", b"0" * 10 * MOST))), "cannot be read|larger than"),
        (b"PK\x03\x04 no archive", "cannot be read"),
        (archive(("a.py", bytes(range(256)) * 9))[:-30], "cannot be read"),
    ],
)  # fmt: skip
def test_a_bad_archive_is_refused_in_one_line_and_writes_nothing_outside(into, data, why):
    with pytest.raises(BadSettings, match=why) as refused:
        unpack("bad.zip", data, into, most=MOST)
    assert str(refused.value).isprintable()
    assert list((into.parent / "outside").iterdir()) == []
    assert {path.name for path in into.parent.iterdir()} == {"inside", "outside"}
    assert sum(path.stat().st_size for path in into.rglob("*") if path.is_file()) <= MOST
    assert not any(path.is_symlink() for path in into.rglob("*"))


def test_an_archive_with_the_same_name_twice_is_refused(into):
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = archive(("a.py", b"1"), ("a.py", b"2"))
    with pytest.raises(BadSettings, match="twice"):
        unpack("bad.zip", data, into, most=MOST)


@pytest.mark.parametrize(
    "name", ["a.txt", "../a.py", "a/b.py", ".py/", "a\nb.py", "x" * 200 + ".py", " a.py", "a\0.py"]
)
def test_names_of_other_files_are_refused(into, name):
    with pytest.raises(BadSettings):
        unpack(name, b"x", into, most=MOST)
    assert list(into.iterdir()) == []
