"""Which studies there are, how long they are, and how one was asked for."""

import json
import shlex
from typing import Final

import click

from arena.studies import file as study_file
from arena.studies.file import Study
from results.text import plain

__all__ = ["Remembering", "extent", "list_json", "list_text", "typed"]

#: Where the words of the command line are remembered.
_WORDS: Final = "arena.studies.study.words"
#: What changes nothing of what is found.
_LEFT_OUT: Final = ("out", "db", "workers", "as_json")


class Remembering(click.Command):
    """A command that remembers its words as they were typed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Click's, with a copy of the words."""
        ctx.meta[_WORDS] = tuple(args)
        return super().parse_args(ctx, args)


def extent(study: Study) -> str:
    """A line of how much there is to be played and measured."""
    return f"{plain(study.stem)}: {' and '.join(_sizes(study))} in {_count(len(study.parts), 'part')}"


def list_text() -> str:
    """A line a study: its name, what its two forms play and measure, what it is about."""
    from tabulate import tabulate

    rows = [
        (full.name, ", ".join(_sizes(full)), ", ".join(_sizes(short)), plain(full.title)) for full, short in _both()
    ]
    return tabulate(rows, ("study", "full", "short", "about"), disable_numparse=True)


def list_json() -> str:
    """The same as a list."""
    return json.dumps([_told(full, short) for full, short in _both()])


def typed(context: click.Context) -> str:
    """The command as it was given, without what changes nothing of what is found."""
    given, _, order = context.command.make_parser(context).parse_args(list(context.meta[_WORDS]))
    words = ["arena", "study", given["study"]]
    for option in dict.fromkeys(order):
        if not isinstance(option, click.Option) or option.name is None or option.name in _LEFT_OUT:
            continue
        value = given[option.name]
        if option.is_flag:
            words.append(option.opts[0])
        else:
            words += [word for one in (value if option.multiple else [value]) for word in (option.opts[0], one)]
    return shlex.join(words)


def _told(full: Study, short: Study) -> dict[str, object]:
    return {
        "study": full.name,
        "title": full.title,
        "question": full.question,
        "claim": full.claim,
        "games": full.games,
        "games_short": short.games,
        "measures": len(full.measures),
    }


def _both() -> list[tuple[Study, Study]]:
    return [(study_file.load(name), study_file.load(name, short=True)) for name in study_file.names()]


def _sizes(study: Study) -> list[str]:
    games = [_count(study.games, "game")] if study.games else []
    measures = [_count(len(study.measures), "measure")] if study.measures else []
    return [*games, *measures]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
