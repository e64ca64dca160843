"""Sign-in: the pages for those who are not in yet, and logging in and out. Plain, no script."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from shoal._words import LANGUAGES, later, retell, say, spoken

if TYPE_CHECKING:
    from shoal.web._server import Server

router = APIRouter(include_in_schema=False)
WRONG = later("The name or the password is wrong, or there were too many tries; wait a minute.")

FISH = "M0 6Q8-2 18 3.5L24 0 22.5 6 24 12 18 8.5Q8 14 0 6z"
LOGO = (
    '<svg class="logo" viewBox="0 0 68 44" aria-hidden="true" focusable="false">'
    + "".join(
        f'<path opacity="{shade}" transform="translate({x} {y})" d="{FISH}"/>'
        for x, y, shade in ((0, 15, 1), (22, 2, 0.75), (24, 28, 0.75), (44, 15, 0.5))
    )
    + "</svg>"
)


@router.get("/login")
def ask_for_password() -> HTMLResponse:
    """Show the form."""
    return HTMLResponse(login_page())


@router.post("/login")
def log_in(
    request: Request, name: Annotated[str, Form()] = "", password: Annotated[str, Form()] = ""
) -> Response:
    """Let somebody in who knows the password of an account."""
    server: Server = request.scope["shoal.server"]
    accounts = server.accounts
    if accounts is None or accounts.too_fast(name) or not accounts.admit(name, password):
        return HTMLResponse(login_page(say(WRONG)), status_code=401)
    request.session.clear()
    request.session.update(server.visitors.remember(server.visitors.account(name)))
    return RedirectResponse("/", status_code=303)


@router.post("/logout")
def log_out(request: Request) -> Response:
    """End a session; its cookie is worth nothing from now on."""
    server: Server = request.scope["shoal.server"]
    server.visitors.forget(request.session)
    request.session.clear()
    return RedirectResponse("/login", status_code=303)


@router.post("/language")
def choose_language(request: Request, language: Annotated[str, Form()] = "") -> Response:
    """Speak another language to this browser from now on, and go on where it was."""
    if language in LANGUAGES:
        request.session["language"] = language
    page = urlsplit(request.headers.get("referer", "")).path
    return RedirectResponse("/" + quote(page.lstrip("/")), status_code=303)


def language_switch() -> str:
    """Draw a button for each language that is not spoken now, in that language."""
    buttons = "".join(
        f'<button type="submit" name="language" value="{key}" lang="{key}">{escape(name)}</button>'
        for key, name in LANGUAGES.items()
        if key != spoken()
    )
    return f'<form method="post" action="/language" class="language">{buttons}</form>'


def let_in_page(onward: str) -> str:
    """Draw the page that trades a token for a cookie and goes on at once.

    It is a page and not a redirect, so that the browser sees the next step as ours: a strict
    cookie is not sent along a chain that another site began.
    """
    address = escape(onward, quote=True)
    return _page(
        say("Welcome"),
        f'<p><a href="{address}">{escape(say("Go on, if nothing happens"))}</a></p>',
        head=f'<meta http-equiv="refresh" content="0;url={address}">',
    )


def refusal_page(status: int, sentence: str, *, home: bool = False) -> str:
    """Draw a refusal; ``home`` with the way back to the tables."""
    titles = {
        400: say("Wrong address"),
        401: say("Please use your link"),
        403: say("Not from here"),
        500: say("Something went wrong"),
    }
    back = escape(say("Back to your tables"))
    way = f'<p><a href="/">{back}</a></p>' if home else ""
    title = titles.get(status, say("Not found"))
    return _page(title, f"<p>{escape(retell(sentence))}</p>{way}")


def login_page(problem: str = "") -> str:
    """Draw the form for a name and a password."""
    trouble = f'<p class="trouble" role="alert">{escape(problem)}</p>' if problem else ""
    return _page(
        say("Log in"),
        f'{trouble}<form method="post" action="/login">'
        f"<label>{escape(say('Name'))}"
        '<input name="name" autocomplete="username" required autofocus></label>'
        f'<label>{escape(say("Password"))}<input name="password" type="password"'
        ' autocomplete="current-password" required></label>'
        f'<button type="submit">{escape(say("Log in"))}</button></form>',
    )


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="{spoken()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{head}<title>{escape(title)} – Shoal</title>"
        '<link rel="icon" href="/static/logo.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="/static/sign-in.css"></head><body><main class="sign-in">'
        f'<div class="brand">{LOGO}<strong>Shoal</strong></div><h1>{escape(title)}</h1>{body}'
        f"{language_switch()}</main></body></html>"
    )
