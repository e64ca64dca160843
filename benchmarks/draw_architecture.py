"""Draw docs/images/architecture.svg: one table's way through the rooms."""

from __future__ import annotations

from pathlib import Path

FLOW = [
    ("table", "read, kinds, roles, codes"),
    ("hierarchies · spaces", "what coarser means and costs"),
    ("privacy", "what must hold"),
    ("grouping · quantize", "who hides with whom"),
    ("recoding · quantize", "what is published"),
    ("utility · risk", "what was kept, what leaks"),
    ("report", "numbers, then pages"),
    ("verifier", "the written file, recounted"),
    ("ledger", "held against what left before"),
    ("release", "swapped into place, or refused"),
]
FRONTS = ["anonymizer", "plan", "session", "tuning", "spark", "studies", "web", "cli"]
WIDTH, HEIGHT, STEP = 760, 610, 52


def draw() -> str:
    """Return the picture."""
    boxes = []
    for i, (name, what) in enumerate(FLOW):
        y = 40 + STEP * i
        boxes.append(_box(30, y, 330, name, what, "#eaf3f8"))
        if i:
            boxes.append(f'<path d="M195 {y - 12}v10" stroke="#38708c" marker-end="url(#a)"/>')
    boxes.append(_box(430, 40, 290, "recipe", "decided once: grouper, recoder, models", "#fdf3df"))
    boxes.append('<path d="M430 60h-62" stroke="#b98a2f" marker-end="url(#b)"/>')
    for i, name in enumerate(FRONTS):
        x, y = 430 + 150 * (i % 2), 130 + STEP * (i // 2)
        boxes.append(_box(x, y, 140, name, "", "#f2f2f2"))
    boxes.append('<path d="M575 130v-46" stroke="#888" marker-end="url(#c)"/>')
    note = "Whoever runs a table reads the recipe"
    boxes.append(f'<text x="430" y="360" class="w">{note}</text>')
    ground = "ground floor: exceptions · typing · presets · kernels · audit"
    boxes.append(_box(30, HEIGHT - 48, 690, ground, "", "#e9efe6"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="One table through the rooms of Shoal">'
        "<style>text{font:13px sans-serif;fill:#222}.n{font-weight:600}.w{fill:#555}</style>"
        f"<defs>{_arrow('a', '#38708c')}{_arrow('b', '#b98a2f')}{_arrow('c', '#888')}</defs>"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{"".join(boxes)}</svg>\n'
    )


def _box(x: int, y: int, width: int, name: str, what: str, color: str) -> str:
    words = f'<text x="{x + 12}" y="{y + 25}"><tspan class="n">{name}</tspan>'
    if what:
        words += f'<tspan class="w">  {what}</tspan>'
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="40" rx="8" fill="{color}" '
        f'stroke="#ccd"/>{words}</text>'
    )


def _arrow(name: str, color: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0 0l8 4-8 4z" fill="{color}"/></marker>'
    )


if __name__ == "__main__":
    target = Path(__file__).resolve().parents[1] / "docs" / "images" / "architecture.svg"
    target.write_text(draw(), encoding="utf-8")
