"""A release made by hand, of which every file and every number can be told anew."""

from __future__ import annotations

import hashlib
import json

from shoal.verifier import _script

DATA = "age,ill,note\n30-39,flu,a\n30-39,cold,b\n*,flu,c\n*,gout,d\n*,,e\n"
K = {"model": "2-anonymity", "measure": "k", "asked": 2, "recounted": 2, "holds": True}
L = {
    "model": "distinct 2-diversity of 'ill'",
    "measure": "distinct_l",
    "column": "ill",
    "asked": 2,
    "recounted": 2,
    "holds": True,
}
ALPHA = {
    "model": "alpha",
    "measure": "alpha",
    "column": "ill",
    "asked": 0.5,
    "recounted": 0.5,
    "holds": True,
}
UNCOUNTED = {"model": "2-map", "measure": None, "asked": 2, "recounted": None, "holds": True}


class Made:
    """A release in a folder, and its manifest, which can be told anew."""

    def __init__(self, folder):
        self.folder = folder
        self.files = {"data.csv": DATA.encode(), "report.html": b"A report."}
        self.manifest = {
            "file": "data.csv",
            "rows": 5,
            "groups": 2,
            "counts": "rows",
            "holds": [K, L, ALPHA, UNCOUNTED],
            "quasi_identifiers": ["age"],
            "columns": [
                {"name": "age", "role": "quasi-identifier"},
                {"name": "ill", "role": "sensitive"},
                {"name": "note", "role": "other"},
            ],
        }

    def write(self, **said):
        self.manifest |= said
        listed = {}
        for name, content in self.files.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_bytes(content)
            digest = hashlib.sha256(content).hexdigest()
            listed[name] = {"sha256": digest, "bytes": len(content)}
        self.manifest = {"files": listed, **self.manifest}
        (self.folder / "manifest.json").write_text(json.dumps(self.manifest), "utf-8")
        return self

    def failures(self):
        return [*_script.check(_script.read_manifest(self.folder), self.folder)]
