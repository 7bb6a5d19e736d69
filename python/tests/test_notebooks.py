"""The notebooks run from beginning to end."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def run(file: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    book = nbformat.read(file, as_version=4)
    for cell in book.cells:
        assert not cell.get("outputs"), "notebooks are kept without outputs"
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert not any(output.get("name") == "stderr" for output in shown)


def test_the_first_notebook_runs():
    run(NOTEBOOKS[0])


@pytest.mark.long
@pytest.mark.parametrize("file", NOTEBOOKS[1:], ids=lambda file: file.stem)
def test_the_other_notebooks_run(file):
    for needed in ("pandas", "matplotlib", "sklearn"):
        pytest.importorskip(needed)
    run(file)


def test_there_are_three():
    assert len(NOTEBOOKS) == 3
