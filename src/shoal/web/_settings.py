"""Settings of a server: where it listens, who may come in, how much it takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from shoal.exceptions import InvalidParameterError
from shoal.web._upload_limits import UploadLimits


@dataclass(frozen=True)
class Settings:
    """Where a server listens and for whom.

    Examples
    --------
    >>> Settings(host="::1").link("t0ken")
    'http://[::1]:8080/?token=t0ken'
    >>> Settings(host="0.0.0.0")
    Traceback (most recent call last):
    ...
    shoal.exceptions.InvalidParameterError: Listening on 0.0.0.0 would show tables to the network.
    >>> Settings(accounts=Path("people.toml"), proxy_name="shoal.example.org").link(None)
    'https://shoal.example.org/'
    """

    host: str = "127.0.0.1"
    port: int = 8080
    accounts: Path | None = None
    allowed_hosts: tuple[str, ...] = ()
    proxy_name: str | None = None
    certificate: Path | None = None
    key: Path | None = None
    study: Path | None = None
    game: bool = False
    questions: int = 20
    keep_days: int = 30
    limits: UploadLimits = field(default_factory=UploadLimits)

    def __post_init__(self) -> None:
        if self.accounts is None and (self.proxy_name or not self.on_loopback):
            raise InvalidParameterError(
                f"Listening on {self.proxy_name or self.host} would show tables to the network.",
                hint="Only people with an account may come in then: give --auth FILE "
                "(shoal serve --auth people.toml --add-user NAME makes one).",
            )
        if (self.certificate is None) != (self.key is None):
            raise InvalidParameterError("--certificate and --key belong together.")

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def scheme(self) -> str:
        """How browsers reach it: ``https`` with a certificate or behind a proxy that has one."""
        return "https" if self.certificate or self.proxy_name else "http"

    def link(self, token: str | None, path: str = "/") -> str:
        """Return the address to open, with the token that lets its reader in."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        ending = f"?token={token}" if token else ""
        place = self.proxy_name or f"{host}:{self.port}"
        return f"{self.scheme}://{place}{path}{ending}"
