"""The definitions once more, slowly: plain lists, Fractions, one group at a time.

Nothing here is shared with `shoal.privacy`. A table is a list of group labels (-1: suppressed), a
list of values (None: missing) and, where one person has several rows, a list of people.
"""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property

INFINITE = math.inf


class Twin:
    def __init__(self, labels, values, people=None):
        self.labels, self.values, self.people = labels, values, people
        self.groups = sorted(set(labels) - {-1})
        self.released = [row for row, label in enumerate(labels) if label >= 0]

    def rows(self, group):
        return [row for row, label in enumerate(self.labels) if label == group]

    def counts(self, rows):
        if self.people is None:
            return Counter(self.values[row] for row in rows)
        return Counter(value for _, value in {(self.people[r], self.values[r]) for r in rows})

    def size(self, rows):
        if self.people is None:
            return len(rows)
        return max(len({self.people[row] for row in rows} - {None}), 1)

    @cached_property
    def references(self):
        everyone = list(range(len(self.labels)))
        both = self.counts(everyone), self.counts(self.released)
        return both if both[0] != both[1] else both[:1]

    def per_group(self, measure):
        return [measure(self.rows(group)) for group in self.groups]

    def worst_reference(self, measure):
        return self.per_group(
            lambda rows: max(measure(self.counts(rows), ref) for ref in self.references)
        )

    def k(self):
        return self.per_group(self.size)

    def distinct(self):
        return self.per_group(lambda rows: len(set(self.counts(rows)) - {None}))

    def entropy(self):
        return self.per_group(lambda rows: entropy_exponent(self.counts(rows).values()))

    def recursive(self, l):
        return self.per_group(lambda rows: recursive_needed(self.counts(rows).values(), l))

    def alpha(self):
        def share(rows):
            members = len(rows) if self.people is None else len({self.people[r] for r in rows})
            return Fraction(max(self.counts(rows).values()), members)

        return self.per_group(share)

    def t_equal(self):
        return self.worst_reference(half_l1)

    def t_ordered(self):
        return self.worst_reference(cumulated)

    def t_hierarchical(self, tree):
        return self.worst_reference(lambda counts, ref: li_cost(tree, counts, ref))

    def basic_beta(self):
        return self.worst_reference(gain)

    def enhanced_beta(self):
        return self.worst_reference(enhanced_gain)

    def delta(self, strict):
        return self.worst_reference(lambda counts, ref: log_ratio(counts, ref, strict))


def share(counts, value):
    return Fraction(counts[value], sum(counts.values()))


def entropy_exponent(counts):
    """Exp of the entropy with fifty digits, so that ties with a threshold can be told."""
    with localcontext() as context:
        context.prec = 50
        total = Decimal(sum(counts))
        return (-sum(c / total * (c / total).ln() for c in map(Decimal, counts))).exp()


def recursive_needed(counts, l):
    falling = sorted(counts, reverse=True)
    return Fraction(falling[0], sum(falling[l - 1 :])) if len(falling) >= l else INFINITE


def half_l1(counts, reference):
    return sum(abs(share(counts, v) - share(reference, v)) for v in reference) / 2


def in_order(reference):
    return sorted(reference, key=lambda value: (value is None, value))


def cumulated(counts, reference):
    values = in_order(reference)
    total, running = Fraction(0), Fraction(0)
    for value in values:
        running += share(counts, value) - share(reference, value)
        total += abs(running)
    return total / max(len(values) - 1, 1)


def height(tree):
    return 0 if isinstance(tree, str) else 1 + max(height(child) for child in tree)


def li_cost(tree, counts, reference):
    """Section 5.3 of Li et al. (2007): each node moves what its children can settle among them.

    ``tree`` is a tuple of subtrees; a leaf is its value. Missing hangs at the root.
    """
    full = height(tree)
    cost = Fraction(0)

    def extra(node, *, root=False):
        nonlocal cost
        if isinstance(node, str):
            return share(counts, node) - share(reference, node)
        below = [extra(child) for child in node]
        if root:
            below.append(share(counts, None) - share(reference, None))
        up, down = sum(e for e in below if e > 0), -sum(e for e in below if e < 0)
        cost += Fraction(height(node), full) * min(up, down)
        return sum(below)

    extra(tree, root=True)
    return cost


def gain(counts, reference):
    return max((share(counts, v) - share(reference, v)) / share(reference, v) for v in reference)


def enhanced_gain(counts, reference):
    for value in reference:
        p, q = share(reference, value), share(counts, value)
        if q > p and (q - p) / p > -math.log(p):
            return INFINITE
    return gain(counts, reference)


def log_ratio(counts, reference, strict):
    ratios = [share(counts, v) / share(reference, v) for v in reference]
    if strict and min(ratios) == 0:
        return INFINITE
    return max(abs(math.log(ratio)) for ratio in ratios if ratio)


def wildcard_matches(rows):
    """For each row the number of rows it matches, None matching anything."""

    def match(one, other):
        return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))

    return [sum(match(one, other) for other in rows) for one in rows]
