"""Skipped tests are seen: with `MODECONTROL_SKIPS=forbidden`, which `.ci/run` sets, a run that skipped any fails."""

import os

import pytest


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")  # workers of xdist have none
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("MODECONTROL_SKIPS") == "forbidden" and session.exitstatus == 0:
        reporter.write_line(
            f"\n{len(skipped)} skipped, where nothing may be: what they need was to be installed", red=True
        )
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
