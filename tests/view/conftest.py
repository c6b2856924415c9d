"""Pictures are drawn without a display; figures are closed after each test."""

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def closed_figures():
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def _respond(name, limits=None, **parameters):
    import modecontrol as mc

    model = mc.load(name, **parameters)
    return mc.dynamic_response(model.snapshot(model.start, model.start_velocity), torque_limits=limits)


@pytest.fixture(scope="session")
def responses():
    """Responses of the examples that the pictures are made for."""
    return {
        "two_link": _respond("two_link", mu=0.4),
        "slippery": _respond("two_link", mu=0.8),
        "table": _respond("table"),
        "rod": _respond("rod", mu=2.0, limits=[(-30, 30)] * 3),
        "rhex": _respond("rhex"),
        "pendulum": _respond("pendulum", n=2),
    }


@pytest.fixture(scope="session")
def fall():
    """A rod that falls over for a moment."""
    import modecontrol as mc

    return mc.simulate(mc.load("rod"), duration=0.2, step=2e-3)
