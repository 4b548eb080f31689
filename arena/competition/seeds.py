"""Where every die in a league comes from."""

import hashlib
import secrets

__all__ = ["derive", "new_secret"]


def new_secret() -> str:
    """A league's secret, drawn once at its creation."""
    return secrets.token_hex(16)


def derive(secret: str, *parts: str) -> int:
    """A seed of 63 bits that nobody can tell who does not know the secret."""
    digest = hashlib.sha256("\0".join((secret, *parts)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
