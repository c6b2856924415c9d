"""7b The live page: a mechanism to drag, its torque sets beside it; in a browser, in a notebook, in a file."""

from modecontrol.page.opening import Page, explore_model, explore_response, explore_trajectory
from modecontrol.page.session import Session

__all__ = ["Page", "Session", "explore_model", "explore_response", "explore_trajectory"]
