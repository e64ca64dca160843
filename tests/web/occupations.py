"""Forty occupations, as somebody would sort them, and a table in which their people differ."""

from __future__ import annotations

FIELDS = {
    "Health": {
        "Nursing": ["day nurse", "night nurse", "head nurse", "midwife"],
        "Medicine": ["surgeon", "dentist", "general practitioner", "pharmacist"],
    },
    "Teaching": {
        "School": ["primary teacher", "secondary teacher", "music teacher", "headmaster"],
        "University": ["lecturer", "professor", "librarian"],
    },
    "Building": {
        "Wood and stone": ["carpenter", "mason", "roofer", "tiler", "joiner"],
        "Pipes and wires": ["plumber", "electrician", "heating fitter", "painter"],
    },
    "Office": {
        "Money": ["accountant", "bookkeeper", "auditor", "tax adviser"],
        "Desk": ["secretary", "receptionist", "clerk", "archivist"],
    },
    "Food": {
        "Kitchen": ["cook", "pastry cook", "butcher", "baker"],
        "Service": ["waiter", "barman", "cashier", "cleaner"],
    },
}
JOBS = [job for field in FIELDS.values() for group in field.values() for job in group]


def table_of_jobs(each=4):
    """Write people as CSV: years of school tell the field, pay the group inside it."""
    lines = ["age,occupation,school,pay"]
    for f, field in enumerate(FIELDS.values()):
        for g, group in enumerate(field.values()):
            for job in group:
                lines += [
                    f"{20 + 9 * i},{job},{5 + 3 * f},{1000 + 300 * f + 60 * g + i}"
                    for i in range(each)
                ]
    return ("\n".join(lines) + "\n").encode()
