import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modecontrol.studies import grid, latin_hypercube, sobol, table
from modecontrol.studies.designs import as_design

AXES = st.lists(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5), min_size=1, max_size=4)


@given(axes=AXES, data=st.data())
def test_a_grid_is_the_product_of_its_axes_and_blocks_are_its_pieces(axes, data):
    design = grid({f"x{i}": axis for i, axis in enumerate(axes)})
    whole = np.array(list(product(*axes)))
    assert len(design) == len(whole)
    first = data.draw(st.integers(0, len(whole)))
    last = data.draw(st.integers(first, len(whole)))
    np.testing.assert_array_equal(
        design.block(first, last), whole[first:last].reshape(last - first, len(axes))
    )


@settings(max_examples=25, deadline=None)
@given(
    points=st.integers(1, 200),
    seed=st.integers(0, 2**31),
    low=st.floats(-100, 100),
    width=st.floats(1e-3, 100),
)
def test_a_latin_hypercube_visits_every_part_of_every_range_once(points, seed, low, width):
    design = latin_hypercube({"a": (low, low + width), "b": (0.0, 1.0)}, points, seed)
    for column, bottom, size in zip(design.rows.T, (low, 0.0), (width, 1.0), strict=True):
        borders = bottom + size * np.arange(points + 1) / points
        slack = 1e-12 * (abs(bottom) + size)
        assert np.all(np.sort(column) >= borders[:-1] - slack)
        assert np.all(np.sort(column) <= borders[1:] + slack)


def test_sobol_points_are_more_even_than_random_ones():
    design = sobol({"a": (0, 1), "b": (0, 1)}, 256, 3)
    counts = np.histogram2d(*design.rows.T, bins=16, range=[(0, 1), (0, 1)])[0]
    np.testing.assert_array_equal(counts, 1)  # a (0, 8, 2)-net in base 2


def test_sobol_sequences_begin_alike_whatever_their_length():
    long, short = sobol({"a": (2, 3)}, 100, 7), sobol({"a": (2, 3)}, 37, 7)
    np.testing.assert_array_equal(long.rows[:37], short.rows)


@pytest.mark.parametrize("make", [latin_hypercube, sobol])
def test_seeds_decide(make):
    one, again, other = (make({"a": (0, 1)}, 50, seed).rows for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert np.abs(one - other).max() > 0.01


def test_a_frame_is_a_table_and_a_dict_is_a_grid():
    import pandas

    columns = {"mu": [0.1, 0.2, 0.3], "slope": [0.0, 0.1, 0.0]}
    for made in (as_design(pandas.DataFrame(columns)), table(columns)):
        assert (made.kind, made.names, made.shape) == ("table", ("mu", "slope"), (3,))
        np.testing.assert_array_equal(made.block(1, 3), [[0.2, 0.1], [0.3, 0.0]])
    assert as_design(columns).shape == (3, 3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: grid({}), "nothing varies"),
        (lambda: grid({"mu": []}), "values of 'mu' have shape (0,); expected at least one number"),
        (lambda: grid({"mu": [0.1, np.nan]}), "value 1 of 'mu' is nan"),
        (lambda: grid({"mu": [[1, 2]]}), "have shape (1, 2)"),
        (lambda: grid({"mu": "much"}), "values of 'mu' are 'much'; expected numbers"),
        (lambda: table({"mu": [1, 2], "n": [1]}), "lengths {'mu': 2, 'n': 1}"),
        (lambda: sobol({"mu": (1, 0)}, 4), "range of 'mu' is (1, 0); expected (low, high) with low < high"),
        (lambda: sobol({"mu": 3}, 4), "'mu' is nan"),
        (lambda: sobol({"mu": (0, 1)}, 0), "points is 0"),
        (lambda: latin_hypercube({"mu": (0, 1)}, 4, seed=-1), "seed is -1"),
        (lambda: as_design([1, 2]), "expected a dict of values by name"),
    ],
)
def test_mistakes_are_named(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()
