"""Icons, as paths in a square of 24 units; always drawn beside words."""

from __future__ import annotations

ICONS = {
    "check": "M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z",
    "widen": "M8 7 3 12l5 5v-3.5h8V17l5-5-5-5v3.5H8z",
    "left": "M14 6l-6 6 6 6 1.4-1.4L10.8 12l4.6-4.6z",
    "right": "M10 6 8.6 7.4 13.2 12l-4.6 4.6L10 18l6-6z",
    "undo": (
        "M12.5 8C9.9 8 7.5 9 5.6 10.6L2 7v9h9l-3.6-3.6A8 8 0 0 1 20 16l2.4-.8A10.5 10.5 "
        "0 0 0 12.5 8z"
    ),
    "skip": "M6 18l8.5-6L6 6v12zM16 6v12h2V6h-2z",
    "lock": "M17 9V7A5 5 0 0 0 7 7v2H5v12h14V9h-2zM9 7a3 3 0 0 1 6 0v2H9V7z",
    "shield": (
        "M12 2 4 5v6c0 5 3.4 9.7 8 11 4.6-1.3 8-6 8-11V5l-8-3zm-1 14-4-4 1.4-1.4L11 "
        "13.2l5.6-5.6L18 9l-7 7z"
    ),
    "warning": "M1 21h22L12 2 1 21zm12-3h-2v-2h2v2zm0-4h-2v-4h2v4z",
    "download": "M5 20h14v-2H5v2zM19 9h-4V3H9v6H5l7 7 7-7z",
    "upload": "M9 16h6v-6h4l-7-7-7 7h4v6zm-4 2h14v2H5v-2z",
    "person": ("M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0 2c-3.3 0-8 1.7-8 5v1h16v-1c0-3.3-4.7-5-8-5z"),
    "crowd": (
        "M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zm0 2c-2.7 0-7 1.3-7 "
        "4v2h14v-2c0-2.7-4.3-4-7-4zm8-2a3 3 0 1 0-1.5-5.6 5.5 5.5 0 0 1 0 5.2c.5.3 1 .4 "
        "1.5.4zm.9 2.3c1 .8 1.6 1.9 1.6 3.2V20H22v-2c0-1.9-2-3.2-4.1-3.7z"
    ),
    "tree": ("M10 3h4v5h-1v3h6v3h1v5h-4v-5h1v-1h-4v1h1v5h-4v-5h1v-1H7v1h1v5H4v-5h1v-3h6V8h-1V3z"),
    "stop": "M6 6h12v12H6z",
    "trash": "M6 19a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V7H6v12zM19 4h-3.5l-1-1h-5l-1 1H5v2h14V4z",
}
