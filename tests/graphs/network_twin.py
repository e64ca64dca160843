"""A slow twin of grouping in networks: written from the paper's formulas, for reading only.

People are numbers, a network is a list of sets, attributes are dates of codes whose span a..b costs
what a table says. Nothing is kept between two steps, and every choice is a `min` over all there is.
"""

from __future__ import annotations

from itertools import combinations


def apart(friends, i, j):
    """How many others know one of two people and not the other."""
    return len((friends[i] ^ friends[j]) - {i, j})


def box_loss(codes, spans, members):
    return sum(
        table[min(codes[i][j] for i in members)][max(codes[i][j] for i in members)]
        for j, table in enumerate(spans)
    )


def grow(friends, codes, spans, k, alpha, beta, order):
    """Groups as SaNGreeA makes them; who is left joins where that costs least."""
    free, groups = set(range(len(friends))), []
    seeds = {
        "degree": sorted(free, key=lambda i: (-len(friends[i]), i)),
        "content": sorted(free),
    }.get(order)
    while len(free) >= k:
        if seeds is None:
            tried = {i: grown(friends, codes, spans, k, alpha, beta, i, free) for i in free}
            start = min(
                free, key=lambda i: (whole(friends, codes, spans, alpha, beta, tried[i]), i)
            )
        else:
            start = next(i for i in seeds if i in free)
        group = grown(friends, codes, spans, k, alpha, beta, start, free)
        groups.append(group)
        free -= set(group)
    for i in sorted(free):
        best = min(groups, key=lambda g: cost(friends, codes, spans, alpha, beta, g, i))
        best.append(i)
    return {frozenset(group) for group in groups}


def grown(friends, codes, spans, k, alpha, beta, start, free):
    group = [start]
    while len(group) < k:
        rest = sorted(free - set(group))
        group.append(min(rest, key=lambda i: cost(friends, codes, spans, alpha, beta, group, i)))
    return group


def cost(friends, codes, spans, alpha, beta, group, i):
    """What a person costs a group, as whole numbers."""
    distance = sum(apart(friends, i, j) for j in group)
    return alpha * box_loss(codes, spans, [*group, i]) + beta // len(group) * distance


def whole(friends, codes, spans, alpha, beta, group):
    pairs = list(combinations(group, 2))
    distance = sum(apart(friends, i, j) for i, j in pairs)
    return alpha * box_loss(codes, spans, group) + beta // len(pairs) * distance


def structural_loss(friends, groups):
    """SIL of Campan and Truta (2009), pair by pair of groups."""
    total = 0.0
    for one in groups:
        edges = sum(j in friends[i] for i, j in combinations(sorted(one), 2))
        possible = len(one) * (len(one) - 1) / 2
        total += 2 * edges * (1 - edges / possible) if possible else 0.0
    for one, two in combinations(groups, 2):
        edges = sum(j in friends[i] for i in one for j in two)
        total += 2 * edges * (1 - edges / (len(one) * len(two)))
    return total
