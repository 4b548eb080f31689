"""Tokens: who may write on the site. A token is printed once; its digest is kept in the folder of submissions."""

import hashlib
import json
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

from arena.errors import BadSettings
from results.errors import Damaged

__all__ = ["Role", "Token", "Tokens"]

Role: TypeAlias = Literal["participant", "organiser"]
_BYTES: Final = 32
_LONGEST_NAME: Final = 80
_MOST_TOKENS: Final = 10_000
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Whose token it is, and what it allows. The token itself is not stored."""

    name: str
    digest: str
    role: Role
    date: str


class Tokens:
    """The tokens in a folder. No file is created before the first token is made."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "tokens.json"
        self._read: tuple[tuple[int, int, int], dict[str, Token]] | None = None

    def make(self, name: str, *, role: Role = "participant", date: str) -> str:
        """A new token for somebody, as text that is nowhere kept. Raises `BadSettings` if the name has one already."""
        if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable() or name != name.strip():
            raise BadSettings(f"a token needs a name of 1 to {_LONGEST_NAME} printable characters")
        text = secrets.token_urlsafe(_BYTES)
        with self._locked():
            there = self.all()
            if any(one.name == name for one in there):
                raise BadSettings(f"{name!r} has a token; `arena token revoke` ends it, then make a new one")
            if len(there) >= _MOST_TOKENS:
                raise BadSettings(f"there are {_MOST_TOKENS} tokens; revoke some")
            self._write([*there, Token(name=name, digest=_digest(text), role=role, date=date)])
        return text

    def revoke(self, name: str) -> None:
        """End the token of this name; raises `BadSettings` if there is none."""
        with self._locked():
            there = self.all()
            kept = [one for one in there if one.name != name]
            if len(kept) == len(there):
                raise BadSettings(f"{name!r} has no token; `arena token list` shows the names")
            self._write(kept)

    def all(self) -> list[Token]:
        """All tokens, oldest first."""
        return list(self._known().values())

    def find(self, text: str) -> Token | None:
        """The token with this text; None if it was never made, or is revoked."""
        return self._known().get(_digest(text))  # of digests, so the time that it takes says nothing about the text

    def holds(self, digest: str) -> Token | None:
        """The token with this digest; None if it is revoked."""
        return self._known().get(digest)

    def _known(self) -> dict[str, Token]:
        try:
            state = self._path.lstat()
        except OSError:
            return {}
        if not stat.S_ISREG(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & _OTHERS_WRITE:
            raise Damaged(f"{self._path} can be changed by others; remove it and make new tokens")
        signature = (state.st_mtime_ns, state.st_size, state.st_ino)
        if self._read is None or self._read[0] != signature:
            self._read = signature, {one.digest: one for one in self._load()}
        return self._read[1]

    def _load(self) -> list[Token]:
        try:
            found = [Token(**note) for note in json.loads(self._path.read_bytes())]
        except (OSError, TypeError, ValueError) as error:
            raise Damaged(f"{self._path} cannot be read; remove it and make new tokens") from error
        if any(one.role not in get_args(Role) for one in found):
            raise Damaged(f"{self._path} holds a token with an unknown role; remove it and make new tokens")
        return found

    def _write(self, tokens: Sequence[Token]) -> None:
        """Replace the file as a whole; nobody else may read it."""
        descriptor, draft = tempfile.mkstemp(prefix="tokens-", dir=self._home)  # with mode 0600
        try:
            with os.fdopen(descriptor, "w") as file:
                json.dump([asdict(one) for one in tokens], file, indent=1)
                file.flush()
                os.fsync(descriptor)
            Path(draft).replace(self._path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import fcntl  # here, because only Unix has it

        try:
            self._home.mkdir(parents=True, exist_ok=True)
            with (self._home / "tokens.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
        except OSError as error:
            raise BadSettings(f"cannot write {self._path}: {error.strerror or error}") from error


def _digest(text: str) -> str:
    # The text is random, so a digest without salt and many rounds cannot be guessed.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
