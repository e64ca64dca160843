"""Slow twins of the kernels: what they should do, written for reading and nothing else.

Cells are plain tuples of codes, numbered by their id. A group is a dict from cell id to copies.
No tree, no heap, no early exit, no array: every choice is a `min` over all there is.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b

from shoal.spaces import IntervalSpace

FORBIDDEN = 1 << 30
POOL, WAYS, PATIENCE, IN_VAIN = 3, 8, 8, 2
NOISE = 1e-12


class Spans:
    """Loss of every span ``a..b`` of every attribute, from the definition of its space."""

    def __init__(self, weighted, largest_table):
        fulls = [round(weight * weighted.unit) for weight in weighted.weights.tolist()]
        self.tables = [
            [
                [span(space, full, a, b, largest_table) for b in range(space.n_codes)]
                for a in range(space.n_codes)
            ]
            for space, full in zip(weighted.spaces, fulls, strict=True)
        ]

    def box(self, lo, hi):
        return sum(table[a][b] for table, a, b in zip(self.tables, lo, hi, strict=True))

    def around(self, *cells):
        """Loss of the smallest box that holds all the cells."""
        return self.box(*box_of(cells))


def box_of(cells):
    return [min(codes) for codes in zip(*cells, strict=True)], [
        max(codes) for codes in zip(*cells, strict=True)
    ]


def span(space, full, a, b, largest_table):
    """Loss of one span as a whole number, where ``full`` stands for everything."""
    if a > b:
        a, b = b, a
    if not permitted(space, a, b):
        return FORBIDDEN
    if b == space.missing:
        return 0 if a == b else full
    if space.n_codes > largest_table and isinstance(space, IntervalSpace):
        return place(space, full, b) - place(space, full, a)
    if isinstance(space, IntervalSpace):
        width = float(space.ends[b] - space.starts[a])
        return round(min(width / space.width, 1.0) * full) if space.width > 0 else 0
    return round(height(space.tree, a, b) / space.tree.height * full)


def place(space, full, code):
    """Where a code lies on a line as long as ``full``."""
    scale = full / space.width if space.width > 0 else 0.0
    return min(round(float(space.starts[code] - space.starts[0]) * scale), full)


def height(tree, a, b):
    """Height of the lowest node above leaves a to b: the tallest of the nodes between them."""
    return max((int(tree.node_heights[gap]) for gap in tree.gap_nodes[a:b]), default=0)


def permitted(space, a, b):
    """Whether the limit of a space lets the span a..b be published."""
    if space.limit is None or a == b:
        return True
    mixed = b == space.missing
    if isinstance(space, IntervalSpace):
        return not mixed and space.ends[b] - space.starts[a] <= space.limit
    if mixed:
        return space.limit >= space.tree.node_levels[space.tree.root]
    return all(space.tree.node_levels[gap] <= space.limit for gap in space.tree.gap_nodes[a:b])


@dataclass(frozen=True)
class Rule:
    """One rule beside k; ``values[cell]`` is what it looks at."""

    kind: str
    bound: float
    l: int
    size: int
    skip: int
    reference: tuple[float, ...]
    values: tuple[int, ...]

    def counts(self, group):
        found = Counter()
        for cell, copies in group.items():
            found[self.values[cell]] += copies
        return found

    def excess(self, counts):
        """How far a group is from the rule; 0 or less is met."""
        if self.kind == "distinct":
            return self.bound - len([v for v in counts if v != self.skip and counts[v] > 0])
        rows = sum(counts.values())
        shares = [counts[value] / rows for value in range(self.size)]
        return getattr(self, f"_{self.kind}")(shares, counts)

    def _entropy(self, shares, counts):
        return math.log(self.bound) + math.fsum(s * math.log(s) for s in shares if s > 0)

    def _recursive(self, shares, counts):
        ordered = sorted((counts[value] for value in range(self.size)), reverse=True)
        tail = sum(ordered[self.l - 1 :])
        if tail == 0:
            return 1e9 + ordered[0]
        return ordered[0] - self.bound * tail or 1e-12  # strict: equal is not enough

    def _alpha(self, shares, counts):
        return max(shares) - self.bound

    def _t_equal(self, shares, counts):
        pairs = zip(shares, self.reference, strict=True)
        return math.fsum(abs(q - p) for q, p in pairs) / 2 - self.bound

    def _t_ordered(self, shares, counts):
        steps = [
            abs(math.fsum(shares[: i + 1]) - math.fsum(self.reference[: i + 1]))
            for i in range(self.size)
        ]
        return math.fsum(steps) / max(1, self.size - 1) - self.bound

    def _basic_beta(self, shares, counts):
        pairs = zip(shares, self.reference, strict=True)
        return max([0.0, *((q - p) / p for q, p in pairs if p > 0)]) - self.bound

    def _enhanced_beta(self, shares, counts):
        pairs = zip(shares, self.reference, strict=True)
        return max(
            [-self.bound, *((q - p) / p - min(self.bound, -math.log(p)) for q, p in pairs if p > 0)]
        )

    def _delta_disclosure(self, shares, counts):
        pairs = [(q, p) for q, p in zip(shares, self.reference, strict=True) if p > 0]
        return max(abs(math.log(q / p)) if q > 0 else 1e9 * (1 + p) for q, p in pairs) - self.bound

    def helped_by(self, group, cell):
        """Whether one more copy of a cell brings the rule closer."""
        counts = self.counts(group)
        now = self.excess(counts)
        if now <= 0:
            return False
        return self.excess(counts + Counter({self.values[cell]: 1})) < now - NOISE


def met(rules, group):
    return all(rule.excess(rule.counts(group)) <= 0 for rule in rules)


def wanted(rules, group):
    """Values still missing for the distinct rule that is furthest from being met."""
    gaps = [int(r.excess(r.counts(group))) for r in rules if r.kind == "distinct"]
    return max([0, *gaps])


@dataclass
class Town:
    """Cells with the copies that are still free, and what groups of them cost and must meet."""

    spans: Spans
    cells: list
    free: list
    k: int
    rules: tuple = ()
    vain: int = 0  # cells that joined groups for which nobody was left

    def cost(self, group, cell):
        return self.spans.around(*(self.cells[c] for c in (*group, cell)))

    def left(self, group, cell):
        return self.free[cell] - group.get(cell, 0)

    def nearest(self, group, need, helping=False):
        """The cheapest free cells that hold ``need`` copies together, by (cost, id)."""
        ranked = sorted(
            (self.cost(group, cell), cell)
            for cell in range(len(self.cells))
            if self.left(group, cell) > 0 and (not helping or self.helps(group, cell))
        )
        kept, held = [], 0
        for cost, cell in ranked:
            if held >= need:
                break
            kept.append((cost, cell))
            held += 1 if helping else self.left(group, cell)
        return kept

    def helps(self, group, cell):
        return any(rule.helped_by(group, cell) for rule in self.rules)

    def start(self, seed):
        room = self.k - wanted(self.rules, {}) + 1 if self.rules else self.k
        return {seed: min(self.k, self.free[seed], max(1, room))}

    def step(self, group):
        rows = sum(group.values())
        if met(self.rules, group):
            return "done" if rows >= self.k else "anybody"
        few_left = self.k - rows <= wanted(self.rules, group)
        return "choosy" if few_left or rows >= self.k else "anybody"

    def join(self, group, cell, step):
        missing = self.k - sum(group.values())
        count = 1 if step == "choosy" else min(missing, self.left(group, cell))
        group[cell] = group.get(cell, 0) + count

    def none_left(self, joined):
        """Note a group that came to nothing; only what may break a rule counts."""
        if any(rule.kind != "distinct" for rule in self.rules):
            self.vain += joined

    def hopeless(self):
        return self.vain > IN_VAIN * len(self.cells)

    def take(self, group):
        for cell, copies in group.items():
            self.free[cell] -= copies


def grow(town, seed):
    """The paper's greedy: the cheapest free row joins until there are k (and the rules hold)."""
    group, joined = town.start(seed), 1
    while (step := town.step(group)) != "done":
        best = town.nearest(group, 1, helping=step == "choosy")
        if not best and step == "choosy":
            return town.none_left(joined)
        if not best or best[0][0] >= FORBIDDEN:
            return None
        joined += 1
        town.join(group, best[0][1], step)
    return group


def grow_thrifty(town, seed):
    """Greedy by price per row: of the cheapest ways to widen the box, the best value."""
    group, pool, joined = town.start(seed), [], 1
    while (step := town.step(group)) != "done":
        if step == "choosy":
            best = town.nearest(group, 1, helping=True)
            if not best:
                return town.none_left(joined)
            if best[0][0] >= FORBIDDEN:
                return None
            pick, pool = best[0][1], []
        else:
            fresh = not pool
            need = town.k - sum(group.values())
            pool = pool or [cell for _, cell in town.nearest(group, POOL * need)]
            pick = thriftiest(town, group, pool, need)
            if pick is None and fresh:
                return None
            if pick is None:
                pool = []
                continue
            pool.remove(pick)
        town.join(group, pick, step)
        joined += 1
    return group


def thriftiest(town, group, pool, need):
    """The candidate that costs nothing, or else the least for each row it lets in."""
    loss = town.spans.around(*(town.cells[c] for c in group))
    ranked = sorted((town.cost(group, cell), cell) for cell in pool)
    ways = [(cost, cell) for cost, cell in ranked[:WAYS] if cost < FORBIDDEN]
    if not ways or ways[0][0] == loss:
        return ways[0][1] if ways else None

    def price(way):
        cost, cell = way
        wide = {**group, cell: 1}
        inside = [c for c in pool if town.cost(wide, c) <= cost]
        rows = min(need, sum(town.left(group, c) for c in inside))
        return Fraction(cost - loss, rows)

    return min(ways, key=lambda way: (price(way), way))[1]


def group_in_order(town, sequence):
    """Seed a group at each row of the sequence that is still free; return the groups."""
    made, taken, seen = [], Counter(), Counter()
    for seed in sequence:
        copy, seen[seed] = seen[seed], seen[seed] + 1
        if copy < taken[seed] or sum(town.free) < town.k:
            continue
        group = grow(town, seed)
        if group:
            town.take(group)
            taken.update(group)
            made.append(group)
        elif town.hopeless():
            break
    return made


def group_cheapest_first(town, absorb, lag=0):
    """Publish the cheapest of all groups, let it absorb what lies inside, and so on."""
    waiting = {}
    for seed in range(len(town.cells)):
        group = grow_thrifty(town, seed)
        waiting[seed] = loss_of(town, group) if group else 1 << 60
    town.vain = 0  # so far starts were only rated
    made = []
    while waiting and sum(town.free) >= town.k:
        cost, seed = min((cost, seed) for seed, cost in waiting.items())
        group = grow_thrifty(town, seed) if town.free[seed] else None
        if group is None:
            del waiting[seed]
            if town.hopeless():
                break
            continue
        loss = loss_of(town, group)
        excused = loss - loss // lag if lag else loss
        rivals = [(c, s) for s, c in waiting.items() if s != seed]
        if loss > cost and rivals and min(rivals) < (excused, seed):
            waiting[seed] = loss
            continue
        town.take(group)
        if absorb:
            inside = cells_inside(town, group)
            for cell in inside:
                group[cell] = group.get(cell, 0) + town.free[cell]
                town.free[cell] = 0
        if town.free[seed] == 0:
            del waiting[seed]
        made.append(group)
    return made


def loss_of(town, group):
    return town.spans.around(*(town.cells[c] for c in group))


def cells_inside(town, group):
    lo, hi = box_of([town.cells[c] for c in group])
    return [
        cell
        for cell, codes in enumerate(town.cells)
        if town.free[cell] and all(a <= c <= b for a, c, b in zip(lo, codes, hi, strict=True))
    ]


def cut(town, part):
    """The best cut of a part (a dict of cells) into two, or None: Mondrian's step."""
    best, sides = loss_of(town, part) * sum(part.values()), None
    for j in range(len(town.cells[0])):
        cuts = []
        codes = sorted({town.cells[c][j] for c in part})
        for last in codes[:-1]:
            low = {c: n for c, n in part.items() if town.cells[c][j] <= last}
            high = {c: n for c, n in part.items() if town.cells[c][j] > last}
            if min(sum(low.values()), sum(high.values())) >= town.k:
                cost = sum(loss_of(town, s) * sum(s.values()) for s in (low, high))
                cuts.append((cost, last, low, high))
        cheap = sorted((c for c in cuts if c[0] < best), key=lambda c: c[:2])[:PATIENCE]
        for cost, _, low, high in cheap:
            if met(town.rules, low) and met(town.rules, high):
                best, sides = cost, (low, high)
                break
    return sides


def mondrian(town):
    """Cut the whole table in two, and the parts again, as long as the loss falls."""
    waiting, done = [dict(enumerate(town.free))], []
    while waiting:
        part = waiting.pop()
        sides = cut(town, part)
        if sides:
            waiting.extend(sides)
        else:
            done.append(part)
    return done


def hash_framed(rows, key, person):
    """BLAKE2b of each row of texts, every text after its length, by the standard library."""
    return [
        int.from_bytes(
            blake2b(
                b"".join(len(text).to_bytes(8, "little") + text for text in row),
                digest_size=8,
                key=key,
                person=person,
            ).digest(),
            "little",
        )
        for row in rows
    ]
