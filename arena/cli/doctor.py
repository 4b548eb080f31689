"""`arena doctor`."""

import json

import click

from arena.cli.options import json_option
from arena.competition.doctor import Diagnosis, diagnose
from arena.entrants.engines import installed_engines

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
    diagnosis = diagnose()
    if as_json:
        click.echo(json.dumps(diagnosis.as_json(), indent=2))
    else:
        click.echo(diagnosis.brief() if brief else _text(diagnosis))
    if not diagnosis.is_fit:
        raise click.exceptions.Exit(1)


def _text(diagnosis: Diagnosis) -> str:
    from tabulate import tabulate

    rows = [
        (
            denial.probe.words,
            denial.probe.rule or "-",
            "proven" if denial.is_proven else f"NOT proven: {denial.seen}",
        )
        for denial in diagnosis.denials
    ]
    table = tabulate(rows, ["an agent that tries to", "breaks the rule", "denied here"], disable_numparse=True)
    verdict = {
        "full": "Agents of strangers are confined.",
        "reduced": "Agents of strangers are confined; an older Landlock leaves signals or networks to seccomp alone.",
        "none": "Agents cannot be confined: a league is refused, --trust-agents runs those that you trust.",
    }[diagnosis.level]
    if diagnosis.level != "none" and not diagnosis.is_fit:
        verdict = "Not everything is enforced here: do not run agents of strangers."
    return f"{diagnosis.brief()}\n\n{table}\n\n{verdict}\n{_engines()}"


def _engines() -> str:
    here = [name for name, path in installed_engines().items() if path]
    missing = [name for name, path in installed_engines().items() if not path]
    said = [f"Engines found here: {', '.join(here)}."] if here else []
    return " ".join([*said, f"Not here: {', '.join(missing)}."] if missing else said)
