"""What somebody sends over the network, as the file or folder that it stands for."""

import io
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import BadSettings
from results.text import plain

__all__ = ["checked_file_name", "unpack"]

_MOST_ENTRIES: Final = 1000
_LONGEST_NAME: Final = 100
_MOST_LEVELS: Final = 20
_PIECE: Final = 64 << 10
#: Folders that macOS adds; they hold no code.
_IGNORED: Final = ("__MACOSX/", ".DS_Store")
_ZIP_ERRORS: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OverflowError, RuntimeError, UnicodeError, ValueError
)  # fmt: skip


def checked_file_name(name: str) -> str:
    """The name of a file that may be sent; raises `BadSettings` for others.

    >>> checked_file_name("my_agent.py")
    'my_agent.py'
    """
    if not name.endswith((".py", ".zip")):
        raise BadSettings(f"send a .py file, or a .zip of a folder; {plain(name, limit=60)!r} is neither")
    _check_part(name)
    return name


def unpack(name: str, data: bytes, into: Path, *, most: int) -> Path:
    """Write a Python file, or the folder in a zip archive, into an empty folder; returns the file or folder.

    An archive holds a folder, or its contents: then the folder is named as the archive. `most` is the largest size of
    all files together, counted while they are unpacked, whatever the archive says.
    """
    if checked_file_name(name).endswith(".py"):
        path = into / name
        path.write_bytes(data)
        return path
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _unpack(archive, into, name=name.removesuffix(".zip"), most=most)
    except _ZIP_ERRORS as error:
        raise BadSettings(f"the archive cannot be read: {plain(str(error), limit=100)}") from error


def _unpack(archive: zipfile.ZipFile, into: Path, *, name: str, most: int) -> Path:
    if len(archive.infolist()) > _MOST_ENTRIES:
        raise BadSettings(f"the archive has more than {_MOST_ENTRIES} entries")
    entries = [(info, _parts(info)) for info in archive.infolist() if not _is_ignored(info)]
    files = [(info, parts) for info, parts in entries if not info.is_dir()]
    if not files:
        raise BadSettings("the archive has no files")
    tops = {parts[0] for _, parts in files}
    # An archive of a folder, or of what is in it.
    has_folder = len(tops) == 1 and all(len(parts) > 1 for _, parts in files)
    folder = into / (tops.pop() if has_folder else name)
    size = 0
    for info, parts in files:
        path = folder.joinpath(*(parts[1:] if has_folder else parts))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                for piece in _pieces(archive, info):
                    size += len(piece)
                    if size > most:
                        raise BadSettings(f"the files in the archive are larger than {most:,} bytes together")
                    file.write(piece)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise BadSettings(f"the archive has {_shown(info)} twice, or as a file and as a folder") from error
    return folder


def _is_ignored(info: zipfile.ZipInfo) -> bool:
    return info.filename.startswith(_IGNORED[0]) or info.filename.rpartition("/")[2] == _IGNORED[1]


def _parts(info: zipfile.ZipInfo) -> list[str]:
    """The folders and the name of an entry; raises `BadSettings` if it is not a plain file or folder inside."""
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadSettings(f"the archive has {_shown(info)}, which is a link or another special file; send plain files")
    if info.flag_bits & 1:
        raise BadSettings("the archive is encrypted; send it without a password")
    # Others need much memory to unpack.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadSettings("the archive is packed by an unusual method; use deflate, which is the usual one")
    name = info.orig_filename  # `filename` is cut at a zero byte
    if name.startswith("/") or "\\" in name or ".." in name.split("/"):
        raise BadSettings(f"the archive has {_shown(info)}, which leads out of its folder")
    parts = name.removesuffix("/").split("/")
    if len(parts) > _MOST_LEVELS:
        raise BadSettings(f"the archive has folders that are more than {_MOST_LEVELS} levels deep")
    for part in parts:
        _check_part(part)
    return parts


def _check_part(part: str) -> None:
    is_name = part.isprintable() and part == part.strip() and not set(part) & set('/\\:"*?<>|')
    if not is_name or part in ("", ".", "..") or len(part.encode()) > _LONGEST_NAME:
        raise BadSettings(f"{plain(part, limit=60)!r} cannot be the name of a file or folder")


def _pieces(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as packed:
        while piece := packed.read(_PIECE):
            yield piece


def _shown(info: zipfile.ZipInfo) -> str:
    return repr(plain(info.orig_filename, limit=80))
