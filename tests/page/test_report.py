"""The flip's report: self-contained, made again from its data, scrubbed in a browser."""

import json
import re

import browsers
import numpy as np
import pytest

import modecontrol as mc
from modecontrol.cli import main
from modecontrol.page.flip_replay import flip_replay
from modecontrol.page.replay import instants_of, replay, write_replay
from modecontrol.page.report import redraw, write_report
from modecontrol.trials.rhex.flip import compare, fly
from modecontrol.trials.rhex.sensitivity import Sensitivity


@pytest.fixture(scope="module")
def flips():
    return compare()


@pytest.fixture(scope="module")
def folder(flips, tmp_path_factory):
    path = tmp_path_factory.mktemp("report")
    rows = [Sensitivity("as documented", 0.6, 0.1, 5.0, float("nan"), ("new",))]
    write_report(flips, path, film=False, sensitivities=rows)
    return path


def test_the_report_is_one_small_file_without_addresses(folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert len(page.encode()) < 5_000_000
    assert not re.search(r"(src|href)=.?(https?:)?//", page)
    assert "default-src 'none'" in page
    assert page.count("data:image/png;base64,") == 8


def test_what_was_flown_with_is_printed_and_stored(folder, flips):
    page = (folder / "report.html").read_text(encoding="utf-8")
    for name, value, meaning in flips[0].settings.rows():
        assert f"<td>{name}</td><td>{value}</td><td>{meaning}</td>".replace("'", "&#x27;") in page
    records = json.loads((folder / "flip.json").read_text(encoding="utf-8"))
    assert [r["controller"] for r in records] == ["blind", "new", "blind", "new"]
    assert records[0]["settings"]["filter_threshold"] == 15.0


def test_redrawing_gives_the_same_without_flying(folder, flips, monkeypatch):
    before = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".html", ".png", ".json")
    }
    for path in folder.iterdir():
        if path.suffix in (".html", ".png"):
            path.unlink()

    def refuse(*_, **__):
        raise AssertionError("nothing may be simulated")

    monkeypatch.setattr("modecontrol.trials.rhex.flip.simulate", refuse)
    again, _ = redraw(folder, film=False)
    assert [flip.record() for flip in again] == [flip.record() for flip in flips]
    for name, content in before.items():
        assert (folder / name).read_bytes() == content, name


def test_redraw_from_the_command_line(folder, capsys):
    assert main(["flip", "--redraw", str(folder), "--no-film"]) == 0
    assert "blind controller assumes" in capsys.readouterr().out
    assert main(["flip", "--redraw", str(folder), "--out", str(folder)]) == 2
    assert main(["flip", "--redraw", str(folder / "none")]) == 2
    assert "has no flip.json" in capsys.readouterr().err


def test_a_report_whose_data_are_gone_says_so(flips, tmp_path):
    write_report(flips[:2], tmp_path, film=False)
    (tmp_path / "flip_new_0p39.npz").unlink()
    with pytest.raises(ValueError, match=r"no data of the new controller at friction 0\.39"):
        redraw(tmp_path)


def test_films_of_all_runs(tmp_path):
    runs = [fly(kind, 0.6, duration=0.05, step=5e-4) for kind in ("blind", "new")]
    files = {path.name for path in write_report(runs, tmp_path)}
    assert {"flip_blind_0p6.gif", "flip_new_0p6.gif"} <= files
    assert 'href="flip_new_0p6.gif"' in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_failed_flip_is_reported_as_failed(tmp_path):
    write_report([fly("new", 0.6, stall=4.0)], tmp_path, film=False)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "class=mc-failed" in page
    assert "did not flip (failed); its thrust ended at" in page


def test_options_of_the_command_line_reach_the_flip(capsys):
    words = [
        "flip",
        "--friction",
        "0.6",
        "--controller",
        "new",
        "--duration",
        "0.05",
        "--json",
        "--press",
        "8",
        "--rate",
        "500",
        "--v0",
        "rear=0.05",
        "--hold",
        "1,0.02",
        "--noise",
        "0.001,0.01",
        "--seed",
        "3",
        "--delay",
        "0.002",
        "--thrust-end",
        "85",
        "--filter-threshold",
        "12",
        "--filter-time",
        "0.03",
        "--dead-time",
        "0.05",
        "--believed",
        "m=9",
        "--set",
        "stall=10",
        "--step",
        "2e-4",
        "--margin",
        "0.01",
    ]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)["flips"][0]["settings"]
    assert told == {
        "step": 2e-4,
        "rate": 500.0,
        "duration": 0.05,
        "v0": [0.001, 0.05, 0.001, 0.001],
        "press": 8.0,
        "margin": 0.01,
        "filter_time": 0.03,
        "filter_threshold": 12.0,
        "dead_time": 0.05,
        "hold": [1.0, 0.02],
        "thrust_end": 85.0,
        "delay": 0.002,
        "noise": [0.001, 0.01],
        "seed": 3,
        "robot": {"stall": 10.0},
        "believed": {"m": 9.0},
        "uncertain": {},
    }


# Replays
# -------------------------------------------------------------------------------------------------------------


def test_a_replay_shows_what_was_simulated_and_chosen(flips):
    flip = flips[3]
    data = flip_replay(flip, frames=40)
    assert len(data["frames"]) == 41
    times, modes = flip.predictions.time, flip.predictions.modes
    for time, frame in list(zip(data["time"], data["frames"], strict=True))[:-1]:
        i = round(time / flip.trajectory.step)
        assert frame["poses"][0][:2] == pytest.approx(
            flip.trajectory.model.frames(flip.trajectory.q[i])[0, :2], abs=1e-4
        )
        call = int(np.argmin(np.abs(times - time)))
        assert frame["chosen"] == pytest.approx(flip.predictions.torque[call], rel=1e-4, abs=1e-9)
        if modes[call] is not None:
            shown = {entry["mode"]: entry["set"] for entry in frame["sets"]["modes"]}
            assert modes[call] in shown  # the predicted mode has a torque set, and the chosen torque is in it
            forced = frame["sets"]["forced"]
            tau = [
                forced.get(name["name"], x) for name, x in zip(data["inputs"], frame["chosen"], strict=True)
            ]
            rows = shown[modes[call]]
            assert np.all(np.array(rows["A"]) @ tau <= np.array(rows["b"]) + 1e-2)


@pytest.mark.parametrize("name", ["compass", "biped", "gripper_box"])
def test_the_torque_sets_of_an_instant_hold_what_was_simulated(name):
    """Time stepping leaves a sticking foot some 0.1 mm/s: the sets of the instant are those of a foot that sticks."""
    trajectory = mc.simulate(mc.load(name), duration=0.2)
    respond = instants_of(trajectory)
    seen = 0
    for i in range(1, len(trajectory) - 1, 10):
        if trajectory.modes[i - 1] != trajectory.modes[i]:
            continue
        response = respond(trajectory.time[i], trajectory.q[i], trajectory.v[i])
        assert trajectory.modes[i] in response.modes_at(trajectory.torque[i])
        seen += 1
    assert seen > 10


@pytest.mark.browser
def test_names_of_lanes_are_not_cut(chromium, tmp_path):
    trajectory = mc.simulate(mc.load("compass"), duration=0.02)
    path = write_replay(tmp_path / "run.html", [replay(trajectory)])
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    seen = browsers.Visit(context.new_page(), path.as_uri()).go()
    lanes = seen.page.locator(".mc-lanes")
    left = lanes.bounding_box()["x"]
    assert min(text.bounding_box()["x"] for text in lanes.locator("text").all()) >= left
    context.close()


def test_any_trajectory_can_be_replayed(tmp_path):
    model = mc.load("two_link", mu=0.4)
    trajectory = mc.simulate(model, controller=[-5.0], duration=0.1)
    data = replay(trajectory, respond=instants_of(trajectory), frames=20)
    assert [entry["mode"] for entry in data["frames"][5]["sets"]["modes"]] == ["LRL", "SSS"]
    assert data["simulated"] == [[0.0, "LRL"]]
    path = write_replay(tmp_path / "run.html", [data])
    assert path.stat().st_size < 400_000
    json.dumps(data, allow_nan=False)


@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 400])
def test_the_report_scrubs_from_the_disk(chromium, folder, flips, width):
    path = folder / "report.html"
    context = chromium.new_context(offline=True, viewport={"width": width, "height": 900})
    seen = browsers.Visit(context.new_page(), path.as_uri()).go()
    page = seen.page
    assert seen.errors == []
    assert seen.requests == [path.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    bar = page.get_by_label("time", exact=True)
    for i, flip in enumerate(flips):
        page.locator("select").first.select_option(str(i))
        bar.focus()
        page.keyboard.press("Home")
        first = page.locator(".mc-mechanism .mc-body").first.get_attribute("d")
        for _ in range(60):
            page.keyboard.press("ArrowRight")
        time = float(page.locator("#page").get_attribute("data-time"))
        assert time > 0.1
        assert page.locator(".mc-mechanism .mc-body").first.get_attribute("d") != first
        call = int(np.argmin(np.abs(flip.predictions.time - time)))
        shown = page.locator(".mc-instant .mc-letters").evaluate_all(
            "all => all.map((one) => one.getAttribute('aria-label'))"
        )
        assert shown[1] == flip.predictions.modes[call]
        assert shown[0] == flip.trajectory.modes[round(time / flip.trajectory.step)][:4]
        assert page.locator(".mc-space-plane svg:visible, .mc-space-line svg:visible").count() == 1
    assert seen.errors == []
    context.close()


@pytest.mark.browser
def test_a_run_plays_and_pauses(chromium, folder):
    context = chromium.new_context(offline=True)
    seen = browsers.Visit(context.new_page(), (folder / "report.html").as_uri()).go()
    seen.page.get_by_role("button", name="Play").click()
    seen.page.wait_for_selector("#page:not([data-time='0'])")
    seen.page.wait_for_timeout(300)
    seen.page.get_by_role("button", name="Pause").click()
    stopped = seen.page.locator("#page").get_attribute("data-time")
    assert float(stopped) > 0
    seen.page.wait_for_timeout(200)
    assert seen.page.locator("#page").get_attribute("data-time") == stopped
    context.close()


def test_a_stored_run_is_explored_from_the_command_line(folder, tmp_path, capsys):
    assert main(["explore", str(folder / "flip_new_0p6.npz"), "--out", str(tmp_path)]) == 0
    assert "new, friction 0.6" in (tmp_path / "replay.html").read_text(encoding="utf-8")
    model = mc.load("block", slope=0.3, mu=0.2)
    path = mc.simulate(model, duration=0.05).save(tmp_path / "block.npz")
    capsys.readouterr()
    assert main(["explore", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["simulated"][-1][1] == "LL"
    assert main(["explore", str(tmp_path / "none.npz")]) == 2


@pytest.mark.browser
def test_a_served_trajectory_is_shown(chromium):
    trajectory = mc.simulate(mc.load("two_link", mu=0.4), controller=[-5.0], duration=0.1)
    with trajectory.explore(port=0, browser=False) as served:
        context = chromium.new_context()
        seen = browsers.Visit(context.new_page(), served.address).go()
        assert seen.errors == []
        assert seen.page.locator(".mc-lanes rect").count() == 3
        context.close()
