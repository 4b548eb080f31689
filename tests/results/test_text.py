"""Hostile text becomes harmless text."""

import doctest
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results import text
from results.text import plain, storable

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("plain text, ünïcödé, 漢字, ♔", "plain text, ünïcödé, 漢字, ♔"),
        ("\x1b[2J\x1b]0;title\x07", r"\x1b[2J\x1b]0;title\x07"),
        ("a\nb\rc\td\x00e\x7f", r"a\x0ab\x0dc\x09d\x00e\x7f"),
        ("\x85\x9b31m", r"\x85\x9b31m"),
        ("\u202eexe.txt\u2066\u200f\u061c", r"\u202eexe.txt\u2066\u200f\u061c"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("line\u2028paragraph\u2029", r"line\u2028paragraph\u2029"),
        ("lone \udc80 and \ud83d", r"lone \udc80 and \ud83d"),
        ("tag \U000e0041 private \ue000", r"tag \U000e0041 private \ue000"),
        (r"already \x1b escaped", r"already \x1b escaped"),
    ],
)
def test_invisible_characters_are_escaped(hostile, harmless):
    assert plain(hostile) == harmless


def test_newlines_and_tabs_may_be_kept():
    assert plain("a\n\tb\r\x1b", multiline=True) == "a\n\tb\\x0d\\x1b"


@pytest.mark.parametrize(("limit", "cut"), [(6, "abcdef"), (5, "abcd…"), (2, "a…"), (1, "…")])
def test_long_text_is_cut_with_an_ellipsis(limit, cut):
    assert plain("abcdef", limit) == cut


def test_an_escape_is_never_cut_in_two():
    assert plain("ab\x1bcd", 7) == "ab\\x1b…"
    assert plain("ab\x1bcd", 6) == "ab…"


def test_only_the_beginning_of_a_huge_text_is_read():
    assert plain("x" * 50_000_000, 10) == "xxxxxxxxx…"


@given(ANY_TEXT, st.integers(1, 30))
def test_the_outcome_is_visible_short_storable_and_stable(anything, limit):
    shown = plain(anything, limit)
    assert len(shown) <= limit
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert shown.encode().decode() == shown
    assert plain(shown, limit) == shown


@given(ANY_TEXT)
def test_storable_text_differs_only_in_surrogates(anything):
    kept = storable(anything)
    assert kept.encode().decode() == kept
    if not any("\ud800" <= char <= "\udfff" for char in anything):
        assert kept == anything


def test_the_examples_are_true():
    assert doctest.testmod(text).failed == 0
