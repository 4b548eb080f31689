"""Curves as SVG."""

import xml.etree.ElementTree as ElementTree

import pytest

from results.pages.curve import CurveMark, Series, curve

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*series: Series, **more: object) -> ElementTree.Element:
    return ElementTree.fromstring(curve(series, title="Score <x>", x_label="minutes & more", **more))  # type: ignore[arg-type]


def test_points_rise_with_their_values_and_have_error_bars() -> None:
    marks = tuple(CurveMark(float(x), x / 4, 0.05) for x in range(5))
    picture = drawn(Series("a", marks), y_range=(0.0, 1.0))
    circles = picture.findall(f"{SVG}circle")
    xs, ys = ([float(circle.attrib[name]) for circle in circles] for name in ("cx", "cy"))
    assert xs == sorted(xs)
    assert ys == sorted(ys, reverse=True)
    assert len(circles) == 5
    assert sum("V" in path.attrib["d"] for path in picture.findall(f"{SVG}path")) == 5


def test_texts_are_escaped_and_spoken() -> None:
    picture = drawn(Series("<b>", (CurveMark(1.0, 0.5),)))
    assert picture.attrib["aria-label"] == "Score <x>: <b>: 0.5 at 1"
    assert "<b>" in [text.text for text in picture.findall(f"{SVG}text")]


def test_nothing_is_drawn_without_points() -> None:
    assert curve([Series("a", ())], title="x", x_label="y") == ""


@pytest.mark.parametrize("values", [(0.0, 0.0), (5.0, 5.0), (-1e-6, 1e6), (0.44, 0.7)])
def test_any_range_has_a_few_ticks(values: tuple[float, float]) -> None:
    marks = tuple(CurveMark(float(x), y) for x, y in enumerate(values))
    picture = drawn(Series("a", marks))
    grid = [path for path in picture.findall(f"{SVG}path") if path.attrib.get("class") == "grid"]
    assert 2 <= len(grid) <= 10
