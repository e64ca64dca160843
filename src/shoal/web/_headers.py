"""What every answer says about itself: only this server, never framed, never kept."""

from __future__ import annotations

import re

HTML = b"text/html"
_SCRIPT = re.compile(rb"<script(?=[\s>])")


def policy(nonce: str) -> str:
    """Return the content policy; the exceptions NiceGUI needs are argued in decision 0013.

    >>> "https:" in policy("n"), "'unsafe-inline'" in policy("n").split("style-src")[0]
    (False, False)
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self'",
            "connect-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


def security_headers(nonce: str) -> list[tuple[bytes, bytes]]:
    """Return the headers that are put on every answer."""
    return [
        (b"content-security-policy", policy(nonce).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    ]


def with_nonce(page: bytes, nonce: str) -> bytes:
    """Mark the scripts of a page as ours.

    Whatever a cell contributes to a page reaches it with its angle brackets escaped, so every
    script tag there is one that we or NiceGUI wrote.

    >>> with_nonce(b"<script>1</script> &lt;script&gt;", "n")
    b'<script nonce="n">1</script> &lt;script&gt;'
    """
    return _SCRIPT.sub(f'<script nonce="{nonce}"'.encode(), page)
