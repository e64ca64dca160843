"""The same measures by definition, in plain Python: slow, obvious, exact."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from fractions import Fraction


def measure(rows, quasi, sensitive, order=None, people=None):
    """Measure rows (dicts of text or None) as the definitions say."""
    people = people or list(range(len(rows)))
    groups, table = defaultdict(set), set()
    for row, person in zip(rows, people, strict=True):
        groups[tuple(row[q] for q in quasi)].add((person, row[sensitive]))
        table.add((person, row[sensitive]))
    sizes = Counter()
    for key in groups:
        sizes[key] = max(1, len({p for p, _ in groups[key] if p >= 0}))
    overall = Counter(value for _, value in table)
    return {
        "groups": len(groups),
        "k": min(sizes.values()),
        "alpha": max(_alpha(pairs) for pairs in groups.values()),
        **_worst([Counter(v for _, v in pairs) for pairs in groups.values()], overall, order),
    }


def _worst(groups, overall, order):
    total = sum(overall.values())
    prior = {v: Fraction(c, total) for v, c in overall.items()}
    shares = [{v: Fraction(group[v], sum(group.values())) for v in overall} for group in groups]
    gains = [(s[v] - prior[v]) / prior[v] for s in shares for v in overall]
    allowed = all(
        (s[v] - prior[v]) / prior[v] < -math.log(prior[v]) - 1e-12 or s[v] <= prior[v]
        for s in shares
        for v in overall
    )
    return {
        "distinct_l": min(sum(v is not None for v in group) for group in groups),
        "entropy_l": min(
            math.exp(-math.fsum(float(q) * math.log(q) for q in s.values() if q)) for s in shares
        ),
        "recursive_c": {
            l: max(_recursive(g, l) for g in groups) for l in range(1, len(overall) + 1)
        },
        "t_equal": max(sum(abs(s[v] - prior[v]) for v in overall) / 2 for s in shares),
        "t_ordered": max(_ordered(s, prior, order) for s in shares) if order else None,
        "basic_beta": max(gains),
        "enhanced_beta": max(gains) if allowed else math.inf,
        "delta_disclosure": max(
            abs(math.log(s[v] / prior[v])) if s[v] else math.inf for s in shares for v in overall
        ),
        "delta_disclosure_present": max(
            abs(math.log(s[v] / prior[v])) for s in shares for v in overall if s[v]
        ),
    }


def _recursive(group, l):
    counts = sorted(group.values(), reverse=True)
    tail = sum(counts[l - 1 :])
    return Fraction(counts[0], tail) if tail else math.inf


def _ordered(share, prior, order):
    present = [v for v in [*order, None] if v in prior]
    if len(present) == 1:
        return Fraction(0)
    running, work = Fraction(0), Fraction(0)
    for value in present:
        running += share[value] - prior[value]
        work += abs(running)
    return work / (len(present) - 1)


def _alpha(pairs):
    """Share of a group's people who have its commonest value."""
    common = max(Counter(value for _, value in pairs).values())
    return Fraction(common, len({person for person, _ in pairs}))
