"""Who may write: our own pages, and with a token where others can reach the site. Over all addresses that write."""

import re
from urllib.parse import urlencode

import pytest
from starlette.datastructures import Headers
from starlette.routing import Route

from arena.competition.uploading import Intake
from arena.entrants.tokens import Tokens
from arena.web import app
from arena.web.checks import Checks
from arena.web.context import Context
from arena.web.door import COOKIE, SESSION_SECONDS, Door
from arena.web.hub import Hub
from arena.web.security import SIGN_IN

DATE = "2026-05-09T12:00:00.000Z"
HOST = {"host": "127.0.0.1:8000"}
OWN = {**HOST, "origin": "http://127.0.0.1:8000"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def writing(tmp_path) -> list[tuple[str, str]]:
    """Every method and address that writes, with something in place of its parameters."""
    checks = Checks(Intake(home=tmp_path, db=tmp_path / "arena.db", game="microchess"))
    made = app.site(Context(Hub(tmp_path / "arena.db"), Door(Tokens(tmp_path), needs_token=False), checks=checks))
    return [
        (method, re.sub(r"\{\w+(:int)?\}", "1", route.path))
        for route in made.routes
        if isinstance(route, Route)
        for method in sorted((route.methods or set()) - {"GET", "HEAD"})
    ]


@pytest.fixture
def door(tmp_path):
    return Door(Tokens(tmp_path), needs_token=False)


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:9000"},
     {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "none"},
     {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "cross-site"}, {}],
)  # fmt: skip
def test_only_our_own_pages_write(door, tmp_path, headers):
    assert door.refusal(Headers(HOST | headers)).status == 403
    text = Tokens(tmp_path).make("Ada", date=DATE)
    session = door.enter(text)
    assert door.refusal(Headers(HOST | headers | {"cookie": f"{COOKIE}={session}"})).status == 403
    with_token = door.refusal(Headers(HOST | headers | {"authorization": f"Bearer {text}"}))
    assert with_token is None if not headers else with_token.status == 403


def test_beyond_this_machine_our_own_pages_need_a_token_too(tmp_path):
    door, tokens = Door(Tokens(tmp_path), needs_token=True), Tokens(tmp_path)
    assert door.refusal(Headers(OWN)).status == 401
    text = tokens.make("Ada", date=DATE)
    session = door.enter(text)
    with_session = Headers(OWN | {"cookie": f"lang=ko; {COOKIE}={session}"})
    assert door.refusal(with_session) is None
    assert door.who(with_session).name == "Ada"
    assert door.refusal(Headers(OWN | {"cookie": f"{COOKIE}={text}"})).status == 401  # the token itself is no session
    assert door.refusal(Headers(OWN | {"authorization": "Bearer wrong"})).status == 401
    tokens.revoke("Ada")
    assert door.refusal(with_session).status == 401


def test_a_session_ends_by_itself_and_by_leaving(tmp_path):
    now = [0.0]
    door = Door(Tokens(tmp_path), needs_token=True, clock=lambda: now[0])
    text = Tokens(tmp_path).make("Ada", date=DATE)
    assert door.enter("wrong") is None
    headers = Headers(OWN | {"cookie": f"{COOKIE}={door.enter(text)}"})
    now[0] = SESSION_SECONDS - 1.0
    assert door.refusal(headers) is None
    now[0] = SESSION_SECONDS + 1.0
    assert door.refusal(headers).status == 401
    again = Headers(OWN | {"cookie": f"{COOKIE}={door.enter(text)}"})
    door.leave(again)
    assert door.who(again) is None


def test_every_address_that_writes_refuses_other_sites_and_other_names(site, tmp_path):
    assert ("POST", SIGN_IN) in writing(tmp_path)
    for method, path in writing(tmp_path):
        assert site.get(path, method=method, Host="evil.example", Origin="http://evil.example")[0] == 400, path
        assert site.get(path, method=method, Origin="http://evil.example")[0] == 403, path
        assert site.get(path, method=method, **{"Sec-Fetch-Site": "cross-site"})[0] == 403, path
        assert site.get(path, method=method)[0] == 403, path


def test_another_host_prints_a_warning_and_every_write_needs_a_token(serving, tmp_path):
    with serving(tmp_path, "--host", "0.0.0.0", "--allow-submissions") as found:
        assert "warning: everybody who can reach this machine can see the results" in found.said
        assert "every write needs a token" in found.said
        assert found.get("/")[0] == 200
        for method, path in writing(tmp_path / "home"):
            if path != SIGN_IN:
                status, text, _ = found.ask(method, path, headers={"Origin": found.url})
                assert (status, "arena token NAME" in text) == (401, True), path


def test_a_token_is_exchanged_for_a_cookie_that_scripts_cannot_read(visit, site):
    text = Tokens(site.db.parent / "home").make("<b>Ada</b>", role="organiser", date=DATE)
    wrong = site.post("/session", urlencode({"token": "wrong"}), **FORM)
    assert wrong[0] == 401
    assert "set-cookie" not in wrong[2]
    status, _, headers = site.post("/session", urlencode({"token": text}), **FORM)
    assert status == 303
    assert "HttpOnly" in headers["set-cookie"]
    assert "SameSite=strict" in headers["set-cookie"]
    assert text not in headers["set-cookie"]
    page = visit("/session", java_script_enabled=False)
    page.locator("#token").fill(text)
    page.locator("main button").click()
    page.wait_for_selector("main strong")
    assert page.locator("main strong").inner_text() == "<b>Ada</b>"
    assert "organiser" in page.locator("main").inner_text()
    page.locator("main button").click()
    page.wait_for_selector("#token")


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [({"Content-Type": "text/plain"}, b"token=x", 415), (FORM, b"\xff", 400), (FORM, b"x" * 70_000, 413),
     (FORM | {"Content-Length": "99999999999999"}, b"", 413)],
)  # fmt: skip
def test_what_is_no_form_or_too_long_is_refused(site, headers, body, status):
    assert site.post("/session", body, **headers)[0] == status
