"""Times are stored in one form."""

import doctest
from datetime import UTC, datetime, timedelta, timezone

import pytest

from results.store import utc


def test_a_time_of_another_zone_is_converted_to_utc():
    tokyo = timezone(timedelta(hours=9))
    assert utc.stamp(datetime(2026, 1, 1, 8, 0, 0, 123456, tokyo)) == "2025-12-31T23:00:00.123Z"


def test_stamps_sort_by_time():
    earlier = datetime(2026, 1, 1, tzinfo=UTC)
    assert utc.stamp(earlier) < utc.stamp(earlier + timedelta(milliseconds=1)) < utc.stamp(earlier + timedelta(days=40))


def test_a_time_without_zone_is_refused():
    with pytest.raises(ValueError, match="without time zone"):
        utc.stamp(datetime(2026, 1, 1))


def test_now_knows_its_zone():
    assert utc.stamp(utc.now()).endswith("Z")


def test_the_examples_are_true():
    assert doctest.testmod(utc).failed == 0
