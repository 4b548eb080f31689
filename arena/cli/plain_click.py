"""What click says in plain words: numbers, and groups whose list of commands is not cut."""

import click

__all__ = ["Group", "Number", "Whole"]


class Whole(click.IntRange):
    """A whole number, with limits."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - the signature of click
        """What stands for it in help texts."""
        return "NUMBER"


class Number(click.FloatRange):
    """A number, with limits."""

    name = "number"


class Group(click.Group):
    """A group that lists its commands with their whole first sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, command.get_short_help_str(limit=1_000)) for name, command in found if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
