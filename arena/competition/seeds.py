"""The random seeds of a league, all derived from one secret."""

import hashlib
import secrets

__all__ = ["derive", "new_secret"]


def new_secret() -> str:
    """A new secret for a league, made once when the league is created."""
    return secrets.token_hex(16)


def derive(secret: str, *parts: str) -> int:
    """A 63-bit seed from the secret and some parts; without the secret it cannot be predicted."""
    digest = hashlib.sha256("\0".join((secret, *parts)).encode()).digest()
    return int.from_bytes(digest[:8]) >> 1
