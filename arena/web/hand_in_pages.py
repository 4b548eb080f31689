"""The pages where agents are handed in, as HTML and as data for programs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from arena.competition.uploading import Intake
from arena.entrants.submissions import Submission
from arena.entrants.tokens import Token
from arena.entrants.uploads import Upload
from arena.web.pages import part
from arena.web.shell import Visit, framed, link
from results.pages.page import moment, result_text, section, shown, table

__all__ = ["Shown", "hand_in_page", "upload_as_json", "upload_page"]

_NAME: Final = 80
#: The longest text of evidence; pages stay small.
_LONG: Final = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a visitor with a token sees; `waiting` are the uploads that an organiser decides about."""

    who: Token
    own: Sequence[Upload]
    versions: Sequence[Submission]
    waiting: Sequence[Upload] = field(default_factory=list)


def hand_in_page(visit: Visit, found: Shown | None, intake: Intake, *, site: str, problem: str = "") -> str:
    """The form, and what the visitor has handed in before; without a token, where to give it."""
    text = visit.words
    body = ['<main id="content" data-uploads>', f"<h1>{text['hand_in']}</h1>"]
    if found is None:
        body += [f"<p>{text['about_tokens']}</p>", f"<p>{link('/session', text['sign_in'])}</p>", "</main>"]
        return framed(visit, text["hand_in"], body)
    if problem:
        body.append(f'<p class="bad" role="alert">{shown(problem, 500)}</p>')
    body += [
        f"<p>{text['signed_in_as']} <strong>{shown(found.who.name, _NAME)}</strong> ({text[found.who.role]}) "
        f"{link('/session', text['sign_out'])}</p>",
        *_rules(visit, intake),
        *_form(visit),
        *_for_programs(visit, site),
    ]
    if found.who.role == "organiser":
        body += part("waiting", section(text["to_decide"], _waiting(visit, found.waiting)))
    body += [
        *part("own", section(text["your_uploads"], [_uploads(visit, found.own)])),
        *part("versions", section(text["your_versions"], [_versions(visit, found.versions)])),
        "</main>",
    ]
    return framed(visit, text["hand_in"], body)


def _rules(visit: Visit, intake: Intake) -> Iterator[str]:
    text = visit.words
    where = text["needs_approval"]
    if intake.league is not None:
        where = f"{text['enters_league']} {link('/league', shown(intake.league, _NAME), name=intake.league)}."
    yield f"<p>{text['what_to_send']} {text['most_bytes']} {intake.most_bytes:,}.</p>"
    yield f"<p>{text['checked_in']} <strong>{shown(intake.game, _NAME)}</strong>. {where}</p>"


def _form(visit: Visit) -> Iterator[str]:
    text = visit.words
    yield '<form class="hand-in" method="post" action="/hand-in" enctype="multipart/form-data">'
    yield f'<label for="file">{text["file"]}</label>'
    yield '<input id="file" name="file" type="file" accept=".py,.zip" required>'
    for name, label, most in (("name", "upload_name", 32), ("class", "upload_class", 80), ("about", "about", 200)):
        yield f'<label for="{name}">{text[label]}</label>'
        yield f'<input id="{name}" name="{name}" maxlength="{most}" autocomplete="off">'
    yield f"<button>{text['hand_in']}</button></form>"


def _for_programs(visit: Visit, site: str) -> Iterator[str]:
    yield f"<details><summary>{visit.words['by_program']}</summary>"
    yield '<pre>curl -H "Authorization: Bearer $TOKEN" --data-binary @my_agent.py \\\n'
    yield f'  "{shown(site)}/hand-in?file=my_agent.py&amp;about=captures"</pre></details>'


def _uploads(visit: Visit, uploads: Sequence[Upload]) -> str:
    text = visit.words
    if not uploads:
        return f"<p>{text['no_uploads']}</p>"
    headers = ["#", *(text[key] for key in ("name", "file", "state", "version", "created"))]
    rows = [
        [
            link(f"/hand-in/{one.number}", str(one.number)), shown(one.name), shown(one.file, 40),
            text[f"upload_{one.state}"], str(one.version or ""), moment(one.date),
        ]
        for one in uploads
    ]  # fmt: skip
    return table(text["your_uploads"], headers, rows, words=headers[1:4] + headers[5:], is_titled=True)


def _versions(visit: Visit, versions: Sequence[Submission]) -> str:
    text = visit.words
    if not versions:
        return f"<p>{text['no_versions']}</p>"
    headers = [text[key] for key in ("name", "version", "created", "code", "about")]
    rows = [
        [shown(one.name), str(one.version), moment(one.date), f"<code>{shown(one.hash[:12])}</code>", shown(one.about)]
        for one in versions
    ]
    return table(text["your_versions"], headers, rows, words=[headers[0], *headers[2:]], is_titled=True)


def _waiting(visit: Visit, uploads: Sequence[Upload]) -> Iterator[str]:
    text = visit.words
    if not uploads:
        yield f"<p>{text['nothing_to_decide']}</p>"
        return
    yield "<ul>"
    for one in uploads[:100]:
        yield f"<li>{link(f'/hand-in/{one.number}', shown(one.name))} {shown(one.owner, _NAME)} {moment(one.date)}</li>"
    yield "</ul>"


def upload_page(
    visit: Visit, upload: Upload, progress: Mapping[str, object] | None, ahead: int, *, is_decider: bool
) -> str:
    """One upload: how far its check is, then its verdict with the evidence."""
    text = visit.words
    state = [f"<p>{text['state']}: <strong>{text[f'upload_{upload.state}']}</strong></p>"]
    if upload.why:
        state.append(f"<p>{shown(upload.why, 500)}</p>")
    if upload.version is not None:
        state.append(f"<p>{text['usable_as']} <code>{shown(upload.name)}@{upload.version}</code></p>")
    body = [
        '<main id="content" data-uploads>',
        f"<h1>{shown(upload.name)}</h1>",
        f"<p>{shown(upload.file, 100)}, {shown(upload.owner, _NAME)}, {moment(upload.date)}</p>",
        '<div aria-live="polite">',
        *part("verdict", state),
        "</div>",
        *part("check", [*_progress(visit, upload, progress, ahead), *_report(visit, upload.report)]),
        *(_decision(visit, upload) if is_decider else []),
        f"<p>{link('/hand-in', text['hand_in'])}</p>",
        "</main>",
    ]
    return framed(visit, upload.name, body)


def _decision(visit: Visit, upload: Upload) -> Iterator[str]:
    for decision in ("approve", "refuse"):
        yield f'<form method="post" action="/hand-in/{upload.number}/{decision}">'
        yield f"<button>{visit.words[decision]}</button></form>"


def _progress(visit: Visit, upload: Upload, progress: Mapping[str, object] | None, ahead: int) -> Iterator[str]:
    text = visit.words
    if upload.state != "queued":
        return
    if progress is None:
        yield f"<p>{text['ahead']}: {ahead}</p>"
    else:
        yield f"<p>{text['game']} {progress.get('game', 0)} / 2, {text['turn']} {progress.get('turn', 0)}</p>"
        if notice := progress.get("notice"):
            yield f"<p>{shown(str(notice), 500)}</p>"
    yield f"<p>{link(f'/hand-in/{upload.number}', text['look_again'])}</p>"


def _report(visit: Visit, report: Mapping[str, Any]) -> Iterator[str]:
    """What `arena check` says, from the stored form of its report."""
    if not report:
        return
    text, games = visit.words, report.get("games", [])
    startup = report.get("startup_seconds")
    ready = text["never_ready"] if startup is None else f"{1000 * startup:.0f} ms"
    verdict = text["passed"] if report.get("passed") else f"{text['failed']}: {shown(str(report.get('why_not')), 500)}"
    facts = {
        text["game"]: shown(str(report.get("game"))), text["code"]: f"<code>{shown(str(report.get('hash')))}</code>",
        text["sandbox"]: shown(str(report.get("sandbox"))), text["startup"]: ready, text["check"]: verdict,
    }  # fmt: skip
    yield '<dl class="facts">'
    yield from (f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items())
    yield "</dl>"
    headers = [text[key] for key in ("opponent", "result", "reason", "turns", "happened")]
    rows = [
        [
            shown(str(game["against"])), result_text(str(game["result"])), shown(str(game["reason"])),
            str(game["turns"]), f'<span class="prose">{shown(_fault(game).get("what_happened", ""), 400)}</span>',
        ]
        for game in games
    ]  # fmt: skip
    yield table(text["games"], headers, rows, words=[*headers[:3], headers[4]])
    for game in games:
        yield from _evidence(visit, game)
    refused = report.get("refused", [])
    if refused:
        yield f"<h2>{text['refused_calls']}</h2>"
        yield from (f"<p>{shown(str(line), 300)}</p>" for line in refused[:20])


def _fault(game: Mapping[str, Any]) -> Mapping[str, Any]:
    return game.get("fault") or {}


def _evidence(visit: Visit, game: Mapping[str, Any]) -> Iterator[str]:
    for name, value in _fault(game).get("evidence", {}).items():
        if str(value).strip():
            yield f"<h2>{shown(str(name))}</h2><pre>{shown(str(value).strip(), _LONG, multiline=True)}</pre>"
    if printed := str(game.get("printed", "")).strip():
        yield f"<h2>{visit.words['printed']}</h2><pre>{shown(printed, _LONG, multiline=True)}</pre>"


def upload_as_json(upload: Upload) -> dict[str, object]:
    """An upload for a program."""
    return {
        "number": upload.number, "name": upload.name, "file": upload.file, "hash": upload.hash, "state": upload.state,
        "why": upload.why, "version": upload.version, "address": f"/hand-in/{upload.number}", "report": upload.report,
    }  # fmt: skip
