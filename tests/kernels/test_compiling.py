"""Compiling: where compiled kernels are kept."""

from __future__ import annotations

from shoal.kernels import compiling


def test_a_change_in_a_family_of_kernels_is_compiled_anew(tmp_path, monkeypatch):
    """Compiled code of another state of the source cannot always be loaded."""
    (tmp_path / "proof").mkdir()
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path)
    seen = set()
    for place, text in (("a.py", "1"), ("proof/b.py", "1"), ("proof/b.py", "2")):
        (tmp_path / place).write_text(text)
        seen.add(compiling._source_digest())
    assert len(seen) == 3
