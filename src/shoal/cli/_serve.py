"""``shoal serve``: the web app, on this machine, for whoever has the link."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shoal.cli import _options as option
from shoal.cli._output import print_json, print_lines
from shoal.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from shoal.web import Server, Settings

Host = Annotated[str, typer.Option(help="Address to listen on.")]
Port = Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Open the link in a browser.")]
Auth = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Accounts; needed beyond this machine.")
]
AddUser = Annotated[
    str | None, typer.Option(metavar="NAME", help="Add an account to the --auth file and end.")
]
AllowHost = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="A further name of this server.")
]
ProxyName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Name of a proxy in front that ends TLS; needs --auth."),
]
StudyPlan = Annotated[
    Path | None, typer.Option(metavar="PLAN", help="Study mode: one task, many participants.")
]
Game = Annotated[bool, typer.Option("--game", help="Study mode with streaks and a comparison.")]
Questions = Annotated[int, typer.Option(min=1, help="Questions for each participant.")]
MaxUpload = Annotated[int, typer.Option(metavar="MB", min=1, help="Largest upload.")]
KeepDays = Annotated[int, typer.Option(min=1, help="Days until an untouched table is removed.")]
File = Annotated[Path | None, typer.Option(metavar="FILE", help="For TLS.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8080,
    open_browser: Open = True,
    auth: Auth = None,
    add_user: AddUser = None,
    allow_host: AllowHost = None,
    proxy_name: ProxyName = None,
    certificate: File = None,
    key: File = None,
    study: StudyPlan = None,
    game: Game = False,
    questions: Questions = 20,
    max_upload: MaxUpload = 512,
    keep_days: KeepDays = 30,
    as_json: option.Json = False,
) -> None:
    """Open the web app: bring a table, teach what matters, release.

    Listens on this machine only and prints a link with a token that lets its reader in. Everything
    the pages do is also a REST API, documented at /api/openapi.json.
    """
    if add_user is not None:
        _add_user(auth, add_user)
        return
    from shoal.web import Settings, UploadLimits
    from shoal.web import serve as run

    settings = Settings(
        host=host,
        port=port,
        accounts=auth,
        allowed_hosts=tuple(allow_host or ()),
        proxy_name=proxy_name,
        certificate=certificate,
        key=key,
        study=study,
        game=game,
        questions=questions,
        keep_days=keep_days,
        limits=UploadLimits(upload=max_upload << 20),
    )
    run(settings, lambda server: _announce(settings, server, open_browser, as_json))


def _announce(settings: Settings, server: Server, open_browser: bool, as_json: bool) -> None:
    """Print the links, and nothing before or after them."""
    token = server.visitors.token
    links = {"link": settings.link(token)}
    if settings.study:
        links["participants"] = settings.link(server.visitors.study_token, "/study")
    if as_json:
        print_json({**links, "token": token})
    else:
        print_lines([f"Shoal is open at {links['link']}"])
        if "participants" in links:
            print_lines([f"Participants come in at {links['participants']}"])
    sys.stdout.flush()
    if open_browser:
        webbrowser.open(links["link"])


def _add_user(auth: Path | None, name: str) -> None:
    from shoal.web import add_account

    if auth is None:
        raise InvalidParameterError("Which file of accounts?", hint="Give it with --auth FILE.")
    password = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    add_account(auth, name, password)
    print_lines([f"{name} may come in: shoal serve --auth {auth}"])
