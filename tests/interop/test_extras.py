"""Optional packages: not imported before they are used, and one clear line when they are missing."""

import subprocess
import sys

import pytest

CASES = [
    ("Environment", "gymnasium", "gym"),
    ("control_system", "control", "control"),
    ("from_urdf", "yourdfpy", "import"),
    ("from_mjcf", "mujoco", "import"),
]


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)


def test_importing_the_package_imports_none_of_them():
    done = run(
        "import sys, modecontrol, modecontrol.interop\n"
        "found = {'gymnasium', 'control', 'yourdfpy', 'mujoco', 'numba', 'sympy', 'matplotlib'} & set(sys.modules)\n"
        "assert not found, found"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "package", "extra"), CASES)
def test_a_missing_package_is_one_line(name, package, extra, tmp_path):
    file = tmp_path / "robot.xml"
    file.write_text("<robot/>")
    done = run(
        f"import sys\nsys.modules[{package!r}] = None\n"
        "try:\n"
        f"    from modecontrol.interop import {name}\n"
        f"    {name}({str(file)!r})\n"
        "except ModuleNotFoundError as error:\n"
        "    print(error)\n"
    )
    assert (
        done.stdout.strip()
        == f'{package} is not installed; install it with: pip install "modecontrol[{extra}]"'
    ), done.stderr


def test_unknown_names():
    import modecontrol.interop as interop

    assert set(dir(interop)) == set(interop.__all__)
    with pytest.raises(AttributeError, match="no attribute 'from_sdf'"):
        _ = interop.from_sdf
