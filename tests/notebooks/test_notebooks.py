"""Every example notebook runs from start to end in a kernel of its own, and shows what it promises."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SHOWN = {
    "1_torque_polytopes": {
        "image/png": 2,
        "text/markdown": 3,
        "text/html": 1,
        "application/vnd.jupyter.widget-view+json": 1,
    },
    "2_ambiguity_regions": {"image/png": 2, "text/html": 1, "application/vnd.jupyter.widget-view+json": 1},
    "3_flipping_controller": {
        "image/png": 2,
        "text/markdown": 1,
        "text/html": 1,
        "application/vnd.jupyter.widget-view+json": 1,
    },
}


def test_there_is_one_for_each_job():
    assert [path.stem for path in NOTEBOOKS] == sorted(SHOWN)


def test_notebooks_are_stored_without_output():
    import nbformat

    for path in NOTEBOOKS:
        for cell in nbformat.read(path, 4).cells:
            assert cell.cell_type != "code" or (cell.outputs == [] and cell.execution_count is None), (
                path.name
            )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}}).execute()
    kinds: dict[str, int] = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            assert output.output_type != "error"
            for kind in output.get("data", {}):
                kinds[kind] = kinds.get(kind, 0) + 1
    for kind, count in SHOWN[path.stem].items():
        assert kinds.get(kind, 0) >= count, (kind, kinds)
