"""The random seeds of a league, all derived from one secret."""

import hashlib
import secrets
from typing import Final

__all__ = ["SAFE_CHARACTERS", "derive", "new_secret", "secrets_of"]

#: A seed with fewer characters can be guessed: each agent knows its own seed, and can try what it is derived from.
SAFE_CHARACTERS: Final = 20


def new_secret() -> str:
    """A new secret for a league, made once when the league is created."""
    return secrets.token_hex(16)


def secrets_of(seed: str | None) -> tuple[str, str]:
    """The secret of a new league, and the one for the seeds of its players; see `results.league.League`."""
    if seed is None:
        secret = new_secret()
        return secret, secret
    return seed, "" if len(seed) >= SAFE_CHARACTERS else new_secret()


def derive(secret: str, *parts: str) -> int:
    """A 63-bit seed from the secret and some parts; without the secret it cannot be predicted."""
    digest = hashlib.sha256("\0".join((secret, *parts)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
