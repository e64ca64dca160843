"""Projects: a secret key, and what it makes: pseudonyms that join, dates that keep distances.

A `ProjectKey` never leaves this machine but by `export_key`. `Disguise` says what is published in
the place of names; a `Pseudonymizer` does it, for one release.
"""

from shoal.projects._disguise import STAMP, Disguise, Pseudonymizer, WornDisguise
from shoal.projects._keys import (
    KEY_FILE_VARIABLE,
    KEY_VARIABLE,
    KeptKey,
    ProjectKey,
    destroy_key,
    export_key,
    kept_keys,
    new_key,
    project_key,
    rotate_key,
    throwaway_key,
)
from shoal.projects._pseudonyms import LOOKS, SCOPES, Pseudonym, check_pseudonym, make_pseudonyms
from shoal.projects._shifts import DAYS, KEEPS, DateShift

__all__ = [
    "DAYS",
    "KEEPS",
    "KEY_FILE_VARIABLE",
    "KEY_VARIABLE",
    "LOOKS",
    "SCOPES",
    "STAMP",
    "DateShift",
    "Disguise",
    "KeptKey",
    "ProjectKey",
    "Pseudonym",
    "Pseudonymizer",
    "WornDisguise",
    "check_pseudonym",
    "destroy_key",
    "export_key",
    "kept_keys",
    "make_pseudonyms",
    "new_key",
    "project_key",
    "rotate_key",
    "throwaway_key",
]
