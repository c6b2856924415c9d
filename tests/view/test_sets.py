import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from modecontrol.polytopes import Polytope, Region
from modecontrol.regions import windows
from modecontrol.view import sets, shapes


def texts(ax):
    return " ".join(t.get_text() for t in [*ax.texts, ax.title])


def polygons(ax):
    return [patch for patch in ax.patches if isinstance(patch, Polygon)]


def area(corners):
    x, y = np.asarray(corners).T
    return abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2


def test_square_is_one_polygon_with_its_four_corners():
    ax = Polytope.box([-1, -2], [1, 2]).plot(color="#112233")
    (patch,) = polygons(ax)
    assert area(patch.get_xy()) == pytest.approx(8.0)
    assert to_hex(patch.get_facecolor()) == "#112233"
    assert ax.get_xlabel() == "x1"
    assert ax.get_xlim()[0] < -1 < 1 < ax.get_xlim()[1]


def test_unbounded_set_is_cut_at_the_window_and_says_so():
    half = Polytope([[1.0, 0.0]], [0.0])
    ax = half.plot(window=(-3, 5))
    assert area(polygons(ax)[0].get_xy()) == pytest.approx(3 * 8)
    assert "cut at the edge of the window" in texts(ax)


def test_bounded_set_says_nothing_of_windows():
    assert "window" not in texts(Polytope.box([0, 0], [1, 1]).plot())


@pytest.mark.parametrize("n", [1, 2, 3])
def test_empty_set_says_so_in_any_dimension(n):
    assert "empty" in texts(Polytope.empty(n).plot())


def test_flat_sets_are_lines_and_points():
    ax = Polytope.box([1, -1], [1, 1]).plot()
    assert not polygons(ax)
    np.testing.assert_allclose(np.sort(ax.lines[0].get_ydata()), [-1, 1])
    point = Polytope.box([2, 3], [2, 3]).plot().lines[0]
    np.testing.assert_allclose([point.get_xdata()[0], point.get_ydata()[0]], [2, 3])
    assert point.get_marker() == "o"


def test_interval_is_a_bar_with_an_arrow_where_it_goes_on():
    ax = Polytope.box([0], [np.inf]).plot(window=(-1, 4))
    bar = next(p for p in ax.patches if not isinstance(p, Polygon))
    assert bar.get_x() == pytest.approx(0)
    assert bar.get_width() == pytest.approx(4)
    (tip,) = polygons(ax)
    assert tip.get_xy()[:, 0].max() > 4


def test_cube_has_six_faces():
    ax = Polytope.box([0, 0, 0], [1, 2, 3]).plot()
    (solid,) = [c for c in ax.collections if isinstance(c, Poly3DCollection)]
    assert len(solid._faces if hasattr(solid, "_faces") else solid.get_paths()) == 6
    assert ax.get_zlabel() == "x3"


def test_flat_square_in_space_is_one_face():
    assert len(shapes.shape_of(Polytope.box([0, 0, 5], [1, 1, 5])).faces) == 1


def test_region_with_a_hole_covers_what_is_left():
    region = Polytope.box([-1, -1], [1, 1]).subtract(Polytope.box([-0.5, -0.5], [0.5, 0.5]))
    ax = region.plot(label="left")
    assert sum(area(p.get_xy()) for p in polygons(ax)) == pytest.approx(3.0)
    assert [p.get_label() for p in polygons(ax)].count("left") == 1


def test_empty_region_says_so():
    assert "empty" in texts(Region((), 2).plot())


def test_slice_and_projection_by_name():
    solid = Polytope.box([0, 0, 0], [1, 2, 3])
    cut = sets.plot_set(solid, names=("a", "b", "c"), slice={"c": 1.0})
    assert area(polygons(cut)[0].get_xy()) == pytest.approx(2.0)
    projection = sets.plot_set(solid, names=("a", "b", "c"), project=("c", "a"))
    assert (projection.get_xlabel(), projection.get_ylabel()) == ("c", "a")
    assert area(polygons(projection)[0].get_xy()) == pytest.approx(3.0)
    assert "empty" in texts(sets.plot_set(solid, slice={2: 9.0}))


def test_too_many_variables_ask_for_a_slice():
    with pytest.raises(ValueError, match=r"4 variables.*slice=.*project="):
        Polytope.box([0] * 4, [1] * 4).plot()


def test_unknown_variable_is_named():
    with pytest.raises(ValueError, match="did you mean 'tau1'"):
        windows.choose(Polytope.box([0, 0], [1, 1]), ("tau1", "tau2"), slice={"tua1": 0.0})


@pytest.mark.parametrize("window", [(1, 1), (2, 1), (0, np.inf)])
def test_bad_windows_are_refused(window):
    with pytest.raises(ValueError, match="lower < upper"):
        Polytope.box([0, 0], [1, 1]).plot(window=window)


def test_drawing_on_given_axes_returns_them():
    from modecontrol.view import style

    ax = style.figure().add_subplot()
    assert Polytope.box([0, 0], [1, 1]).plot(ax) is ax


def test_faces_of_unequal_length_leave_nothing_unset():
    """A pyramid: triangles and a square; matplotlib would pad the triangles with memory that nobody has set."""
    faces = [np.zeros((3, 3)), np.ones((4, 3))]
    full = sets.padded(faces)
    assert full.shape == (2, 4, 3)
    assert np.array_equal(full[0], np.zeros((4, 3)))
    pyramid = Polytope.from_vertices([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)])
    for _ in range(20):
        np.full((5, 4, 3), np.inf)  # dirty the memory that would be used next
        ax = pyramid.plot()
        assert np.all(np.isfinite(ax.zz_dataLim.intervalx))
        assert np.abs(ax.zz_dataLim.intervalx).max() <= 1.5
