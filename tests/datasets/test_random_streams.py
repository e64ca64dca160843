import numpy as np
import pytest

from shoal._random import generator, secret_generator, spawn
from shoal.exceptions import InvalidParameterError


def test_the_same_seed_draws_the_same_numbers():
    assert generator(3).random(5).tolist() == generator(np.int64(3)).random(5).tolist()
    assert generator(3).random(5).tolist() != generator(4).random(5).tolist()


def test_a_generator_is_handed_back():
    rng = np.random.default_rng(1)
    assert generator(rng) is rng


def test_no_seed_differs_each_time():
    assert generator().random() != generator().random()


@pytest.mark.parametrize("seed", [-1, 1.5, "seven", [1]])
def test_a_bad_seed_is_refused(seed):
    with pytest.raises(InvalidParameterError):
        generator(seed)


def test_children_differ_by_name_and_by_line():
    draws = {
        spawn(1, "a").random(),
        spawn(1, "b").random(),
        spawn(2, "a").random(),
        spawn(spawn(1, "a"), "a").random(),
        spawn(spawn(1, "a"), "b").random(),
        generator(1).random(),
    }
    assert len(draws) == 6


def test_a_child_does_not_depend_on_what_was_drawn():
    parent = generator(5)
    before = spawn(parent, "x").random()
    parent.random(10)
    assert spawn(parent, "x").random() == before == spawn(5, "x").random()


def test_a_secret_generator_keeps_no_seed():
    secret = secret_generator()
    source = secret.bit_generator.seed_seq
    assert not hasattr(source, "entropy")
    assert not vars(source)
    assert source.generate_state(4).tolist() != source.generate_state(4).tolist()


def test_the_child_of_a_secret_cannot_be_repeated():
    secret = secret_generator()
    assert spawn(secret, "x").random() != spawn(secret, "x").random()
