"""`arena doctor`."""

import json

import click

from arena.cli.options import json_option
from arena.sandbox.doctor import Diagnosis, diagnose

__all__ = ["command"]


@click.command("doctor")
@click.option("--brief", is_flag=True, help="One line.")
@json_option
def command(brief: bool, as_json: bool) -> None:
    """Say what this machine can enforce: a hostile agent of our own is confined and tries it all.

    Exit code 1 if a league would be refused here or one attempt was not stopped.

    \b
    Examples:
      arena doctor
      arena doctor --brief
      arena doctor --json
    """
    found = diagnose()
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
    else:
        click.echo(found.brief() if brief else _text(found))
    if not found.is_fit:
        raise click.exceptions.Exit(1)


def _text(found: Diagnosis) -> str:
    from tabulate import tabulate

    rows = [
        (
            denial.probe.words,
            denial.probe.rule or "-",
            "proven" if denial.is_proven else f"NOT proven: {denial.seen}",
        )
        for denial in found.denials
    ]
    table = tabulate(rows, ["an agent that tries to", "breaks the rule", "denied here"], disable_numparse=True)
    verdict = {
        "full": "Agents of strangers are confined.",
        "reduced": "Agents of strangers are confined; an older Landlock leaves signals or networks to seccomp alone.",
        "none": "Agents cannot be confined: a league is refused, --trust-agents runs those that you trust.",
    }[found.level]
    if found.level != "none" and not found.is_fit:
        verdict = "Not everything is enforced here: do not run agents of strangers."
    return f"{found.brief()}\n\n{table}\n\n{verdict}"
