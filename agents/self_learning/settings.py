"""Settings as data: typed fields with a help text, read from TOML or from `key=value`."""

import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Self, TypeVar, cast, get_type_hints

from agents.self_learning.errors import BadRecipe

__all__ = ["Setting", "Settings", "did_you_mean", "parse", "read", "setting", "settings_of"]

_WORDS: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
_SWITCHES: Final = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is known of a setting besides its type and default. One that is `live` may change while a run goes on."""

    help: str
    live: bool = False
    least: float = -math.inf
    most: float = math.inf
    choices: tuple[str, ...] = ()


def setting(default: Any, help: str, **known: Any) -> Any:  # noqa: A002 - the word that readers know
    """A field of a `Settings` class; the keywords are those of `Setting`."""
    return field(default=default, metadata={"setting": Setting(help=help, **known)})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The base of settings classes: frozen dataclasses whose fields are made by `setting`."""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Settings from checked or unchecked values; those that are missing keep their defaults."""
        return cls(**{key: read(cls, key, value) for key, value in values.items()})

    def as_dict(self) -> dict[str, object]:
        """The values, as JSON and TOML have them."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


_S = TypeVar("_S", bound=Settings)


def settings_of(kind: type[Settings]) -> dict[str, Setting]:
    """The settings of a class by name."""
    return {each.name: cast(Setting, each.metadata["setting"]) for each in fields(kind)}


def read(kind: type[Settings], key: str, value: object) -> Any:
    """A value as the setting `key` has it; `BadRecipe` says what is wrong with it."""
    known = settings_of(kind)
    if key not in known:
        raise BadRecipe(f"unknown setting {key!r}; {did_you_mean(key, known, otherwise='known settings are')}")
    expected, about = get_type_hints(kind)[key], known[key]
    if expected is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if expected == tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise BadRecipe(f"{key} must be a list of texts, not {value!r}")
        return tuple(value)
    if type(value) is not expected:
        raise BadRecipe(f"{key} must be {_WORDS[expected]}, not {value!r}")
    if about.choices and value not in about.choices:
        raise BadRecipe(f"{key} must be one of {', '.join(about.choices)}, not {value!r}")
    if isinstance(value, int | float) and not about.least <= value <= about.most:
        raise BadRecipe(f"{key} must be {_range(about)}, not {value!r}")
    return value


def parse(kind: type[Settings], key: str, text: str) -> Any:
    """A value from the command line, such as the `1e-4` of `lr=1e-4`."""
    expected = get_type_hints(kind)[key] if key in settings_of(kind) else str
    value: object = text
    if expected is bool:
        value = _SWITCHES.get(text.lower(), text)
    elif expected == tuple[str, ...]:
        value = [item.strip() for item in text.split(";") if item.strip()]
    elif expected in (int, float):
        try:
            value = expected(text)
        except ValueError:
            value = text
    return read(kind, key, value)


def did_you_mean(word: str, known: Iterable[str], *, otherwise: str) -> str:
    """A hint at the nearest of the known words, or at all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(word.lower(), names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"{otherwise} {', '.join(names)}"


def _range(about: Setting) -> str:
    if math.isinf(about.most):
        return f"at least {about.least:g}"
    return f"at most {about.most:g}" if math.isinf(about.least) else f"{about.least:g} to {about.most:g}"
