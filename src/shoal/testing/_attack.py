"""What every attack must do, whoever wrote it: succeed where it can, and say how it went."""

from __future__ import annotations

from shoal.risk import Attack, AttackResult, AttackScene
from shoal.testing._expect import expect


def check_attack(
    attack: Attack, exposed: AttackScene, hidden: AttackScene, *, gain: float = 0.2
) -> tuple[AttackResult, AttackResult]:
    """Run an attack where it must succeed and where it must not.

    An attack that finds nothing proves nothing unless it finds what is there: ``exposed`` is its
    positive control, the raw table or a release that is bad on purpose.

    Parameters
    ----------
    attack : Attack
        The attack.
    exposed, hidden : Scene
        A release that the attack must break, and one that it must gain less from.
    gain : float
        Least risk that it must find on the exposed one.

    Raises
    ------
    AssertionError
        With a sentence that says which promise is broken.

    Examples
    --------
    >>> import polars as pl
    >>> from shoal.risk import ExactLinkage
    >>> from shoal.table import Roles, read_table
    >>> roles = Roles(quasi_identifiers="age")
    >>> raw = read_table(pl.DataFrame({"age": [20, 30, 40, 50]}), roles=roles)
    >>> safe = read_table(pl.DataFrame({"age": ["[20, 50]"] * 4}), roles=roles)
    >>> broken, held = check_attack(ExactLinkage(), AttackScene(raw, raw), AttackScene(safe, raw))
    >>> broken.rate, held.rate
    (1.0, 0.25)
    """
    for text in (attack.name, attack.title, attack.scenario):
        expect(text, "An attack has a name, a title and a scenario in prose.")
    found = []
    for scene in (exposed, hidden):
        result = attack.run(scene)
        _check_result(attack, result)
        expect(attack.run(scene) == result, f"{attack.name}: two runs of one scene differ.")
        found.append(result)
    broken, held = found
    expect(broken.applies, f"{attack.name}: the positive control was not even tried.")
    expect(
        broken.risk >= gain,
        f"{attack.name}: the positive control gains {broken.risk:.3f}, less than {gain}.",
    )
    expect(held.risk < broken.risk, f"{attack.name}: the release hides nothing.")
    return broken, held


def _check_result(attack: Attack, result: AttackResult) -> None:
    expect(result.name == attack.name, f"{attack.name}: the result has another name.")
    rates = [result.rate, result.baseline, *([] if result.control is None else [result.control])]
    expect(all(0 <= rate <= 1 for rate in rates), f"{attack.name}: a rate is no share.")
    low, high = result.interval
    expect(low <= result.rate <= high, f"{attack.name}: the interval does not hold the rate.")
    expect(result.people >= 0, f"{attack.name}: fewer than no people were attacked.")
