"""The one form of time that is stored."""

from datetime import UTC, datetime

__all__ = ["now", "stamp"]


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """A moment in UTC to the millisecond.

    >>> stamp(datetime(2026, 5, 9, 12, 30, tzinfo=UTC))
    '2026-05-09T12:30:00.000Z'
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without time zone cannot be stored")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
