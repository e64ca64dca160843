"""The few pages outside the house: knocking, logging in, being let in. Plain, no script."""

from __future__ import annotations

from html import escape

FISH = "M0 6Q8-2 18 3.5L24 0 22.5 6 24 12 18 8.5Q8 14 0 6z"
LOGO = (
    '<svg class="logo" viewBox="0 0 68 44" aria-hidden="true" focusable="false">'
    + "".join(
        f'<path opacity="{shade}" transform="translate({x} {y})" d="{FISH}"/>'
        for x, y, shade in ((0, 15, 1), (22, 2, 0.75), (24, 28, 0.75), (44, 15, 0.5))
    )
    + "</svg>"
)


def let_in_page(onward: str) -> str:
    """Draw the page that trades a token for a cookie and goes on at once.

    It is a page and not a redirect, so that the browser sees the next step as ours: a strict
    cookie is not sent along a chain that another site began.
    """
    address = escape(onward, quote=True)
    return _page(
        "Welcome",
        f'<p>Coming in. <a href="{address}">Go on</a> if nothing happens.</p>',
        head=f'<meta http-equiv="refresh" content="0;url={address}">',
    )


def knock_page(status: int, sentence: str) -> str:
    """Draw a refusal."""
    titles = {400: "Wrong address", 401: "Please use your link", 403: "Not from here"}
    return _page(titles.get(status, "Not found"), f"<p>{escape(sentence)}</p>")


def login_page(problem: str = "") -> str:
    """Draw the form for a name and a password."""
    trouble = f'<p class="trouble" role="alert">{escape(problem)}</p>' if problem else ""
    return _page(
        "Log in",
        f'{trouble}<form method="post" action="/login">'
        '<label>Name<input name="name" autocomplete="username" required autofocus></label>'
        '<label>Password<input name="password" type="password"'
        ' autocomplete="current-password" required></label>'
        '<button type="submit">Log in</button></form>',
    )


def _page(title: str, body: str, head: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{head}<title>{escape(title)} – Shoal</title>"
        '<link rel="stylesheet" href="/static/doors.css"></head><body><main class="door">'
        f'<div class="brand">{LOGO}<strong>Shoal</strong></div><h1>{escape(title)}</h1>{body}'
        "</main></body></html>"
    )
