"""`arena token`."""

import json

import click

from arena.cli.options import home_option, json_option
from arena.cli.plain_click import Group
from arena.entrants.staging import home
from arena.entrants.tokens import Token, Tokens
from results.store import utc
from results.text import plain

__all__ = ["command"]


class _NameOrCommand(Group):
    """`arena token Ada` makes a token: what is not the name of a subcommand is the name of a person."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            return "make", self.commands["make"], args
        return super().resolve_command(ctx, args)


@click.group("token", cls=_NameOrCommand, invoke_without_command=True,
             context_settings={"help_option_names": ["-h", "--help"]})  # fmt: skip
@click.pass_context
def command(context: click.Context) -> None:
    """Make a token for a person, who can then hand in agents on the site; list or revoke tokens.

    `arena token NAME` prints a new token once. Only its digest is stored, in the folder of submitted agents. On the
    page "Token" of the site a browser exchanges it for a cookie; a program sends it as `Authorization: Bearer TOKEN`.

    \b
    Examples:
      arena token Ada
      arena token "Grace Hopper" --organiser
      arena token list
      arena token revoke Ada
    """
    if context.invoked_subcommand is None:
        _list(as_json=False)


@command.command("make")
@click.argument("name")
@click.option("--organiser", "is_organiser", is_flag=True, help="Allow to approve agents that others hand in.")
@home_option
def make(name: str, is_organiser: bool) -> None:
    """Make a token for NAME and print it; the same as `arena token NAME`."""
    text = Tokens(home()).make(name, role="organiser" if is_organiser else "participant", date=utc.stamp(utc.now()))
    click.echo(text)
    click.echo(f"the token of {plain(name)}; it is shown only now", err=True)


@command.command("list")
@json_option
@home_option
def list_tokens(as_json: bool) -> None:
    """List the names that have a token."""
    _list(as_json=as_json)


@command.command("revoke")
@click.argument("name", nargs=-1, required=True, metavar="NAME...")
@home_option
def revoke(name: tuple[str, ...]) -> None:
    """End the tokens of these names, and the sessions of browsers with them."""
    tokens = Tokens(home())
    for one in dict.fromkeys(name):
        tokens.revoke(one)
        click.echo(f"revoked the token of {plain(one)}")


def _list(*, as_json: bool) -> None:
    found = Tokens(home()).all()
    if as_json:
        click.echo(json.dumps([{"name": one.name, "role": one.role, "date": one.date} for one in found], indent=2))
    elif found:
        from tabulate import tabulate

        click.echo(tabulate([_cells(one) for one in found], ["name", "role", "date"], disable_numparse=True))
    else:
        click.echo(f"there are no tokens in {plain(str(home()))} yet; `arena token NAME` makes one", err=True)


def _cells(one: Token) -> list[str]:
    return [plain(one.name, limit=80), one.role, one.date[:16].replace("T", " ")]
