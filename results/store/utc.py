"""Times as they are stored: UTC, to the millisecond."""

from datetime import UTC, datetime

__all__ = ["now", "stamp"]


def now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """The stored text of a time.

    >>> stamp(datetime(2026, 5, 9, 12, 30, tzinfo=UTC))
    '2026-05-09T12:30:00.000Z'
    """
    if moment.tzinfo is None:
        raise ValueError("a time without time zone cannot be stored")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
