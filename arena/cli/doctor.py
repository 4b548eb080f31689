"""`arena doctor`."""

import json

import click

from arena.cli.options import json_option
from arena.competition.doctor import Diagnosis, diagnose
from arena.entrants.engines import installed_engines

__all__ = ["command"]


@click.command("doctor")
@click.option("--brief", is_flag=True, help="Print one line.")
@json_option
def command(brief: bool, as_json: bool) -> None:
    """Test what this machine can prevent agents from doing.

    A hostile agent runs in the sandbox and tries to break each rule. Exit code 1 if one attempt was not stopped, or
    if this machine has no sandbox.

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
            denial.probe.attempt,
            denial.probe.rule or "-",
            "yes" if denial.is_proven else f"NO: {denial.seen}",
        )
        for denial in diagnosis.denials
    ]
    table = tabulate(rows, ["an agent that tries to", "breaks the rule", "stopped here"], disable_numparse=True)
    verdict = {
        "full": "Untrusted agents can be run here.",
        "reduced": "Untrusted agents can be run here. An older Landlock leaves signals or networks to seccomp alone.",
        "none": "Agents cannot be confined here, so a league is refused. --trust-agents runs agents that you trust.",
    }[diagnosis.level]
    if diagnosis.level != "none" and not diagnosis.is_fit:
        verdict = "Not every rule is enforced here: do not run untrusted agents."
    return f"{diagnosis.brief()}\n\n{table}\n\n{verdict}\n{_engines()}"


def _engines() -> str:
    engines = installed_engines()
    installed = [name for name, path in engines.items() if path]
    missing = [name for name, path in engines.items() if not path]
    lines = [f"Engines installed here: {', '.join(installed)}."] if installed else []
    return " ".join([*lines, f"Not installed: {', '.join(missing)}."] if missing else lines)
