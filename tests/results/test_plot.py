"""Ratings as a picture."""

import re
from xml.etree import ElementTree

import pytest

from results.pages.plot import Mark, plot


def circles(picture):
    return [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', picture)]


def ticks(picture):
    return [float(text) for text in re.findall(r'class="quiet"[^>]*>([^<]+)<', picture)]


def test_larger_values_are_further_right():
    left, middle, right = circles(
        plot([Mark("c", -100.0, 10.0), Mark("b", 0.0, 10.0), Mark("a", 100.0, 10.0)], title="Elo")
    )
    assert left < middle < right
    assert middle - left == pytest.approx(right - middle, abs=0.2)


def test_bars_reach_as_far_as_the_error():
    picture = plot([Mark("a", 50.0, 25.0), Mark("b", 25.0, None), Mark("c", 75.0, float("inf"))], title="Elo")
    (left, right), *others = re.findall(r'class="error" d="M([\d.]+) .*?H([\d.]+)M', picture)
    assert others == []
    assert [float(left), float(right)] == circles(picture)[1:]


@pytest.mark.parametrize("low", [-3000.0, -3.0, 0.0, 1e-9, 41.0, 1e6])
@pytest.mark.parametrize("width", [0.0, 0.5, 7.0, 130.0, 4000.0])
def test_the_scale_has_a_few_round_numbers_around_everything(low, width):
    picture = plot([Mark("a", low, width), Mark("b", low + width, None)], title="Elo")
    found = ticks(picture)
    assert 2 <= len(found) <= 9
    assert found[0] <= low - width + 1e-3
    assert found[-1] >= low + width - 1e-3
    assert all(180.0 <= x <= 460.0 for x in circles(picture))


def test_it_is_valid_xml_with_a_text_for_screen_readers():
    picture = plot([Mark("<b>\u202e&\"'", 1.0, 2.0)], title="Elo")
    root = ElementTree.fromstring(picture)
    assert root.attrib["aria-label"] == "Elo: <b>\\u202e&\"': 1 ± 2"
    assert root.attrib["role"] == "img"


def test_without_marks_there_is_only_a_scale():
    assert circles(plot([], title="Elo")) == []
