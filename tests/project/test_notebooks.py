"""The notebooks run from top to bottom in a fresh kernel, and print what they have saved.

After a change of what they show:   python tests/project/test_notebooks.py   runs them and saves their outputs.
Cells with the tag "volatile" print times, which are never the same.
"""
import difflib
import os
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
SECONDS = 300  # for one cell


def executed(path):
    """The notebook, run in a fresh kernel of this Python."""
    import nbformat
    from jupyter_client import KernelManager
    from nbclient import NotebookClient
    manager = KernelManager(kernel_name="python3")
    manager.kernel_spec.argv[0] = sys.executable  # this Python, whatever kernels are installed
    notebook = nbformat.read(path, as_version=4)
    try:
        client = NotebookClient(notebook, km=manager, timeout=SECONDS, record_timing=False, coalesce_streams=True,
                                resources={"metadata": {"path": str(path.parent)}})
        client.execute(env={**os.environ, "GRADSCRIBE_PROGRESS": "0"})  # which a busy machine alone would show
    finally:
        manager.shutdown_kernel(now=True)
    return notebook


def printed(cell) -> str:
    """What a cell shows as text; pictures apart."""
    parts = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream" and output.name == "stdout":
            parts.append(output.text)
        elif output.output_type in ("execute_result", "display_data") and "image/png" not in output.data:
            parts.append(output.data.get("text/plain", "") + "\n")
    return "".join(parts)


@pytest.mark.heavy(one_in=199)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_notebook_runs_and_prints_what_it_has_saved(path):
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("nbclient")
    saved, fresh = nbformat.read(path, as_version=4), executed(path)
    assert len(saved.cells) == len(fresh.cells)
    for k, (old, new) in enumerate(zip(saved.cells, fresh.cells)):
        if old.cell_type != "code":
            continue
        assert old.execution_count == new.execution_count, f"cell {k} was saved without being run"
        for output in new.outputs:
            assert output.output_type != "error" and output.get("name") != "stderr", f"cell {k}: {output}"
        if "volatile" not in old.metadata.get("tags", []) and printed(old) != printed(new):
            changes = difflib.unified_diff(printed(old).splitlines(), printed(new).splitlines(), "saved", "fresh",
                                           lineterm="")
            raise AssertionError(
                f"cell {k} of {path.name} prints something else (python tests/project/test_notebooks.py saves it):\n"
                + "\n".join(changes))


def test_there_are_notebooks_with_pictures_and_source():
    import nbformat
    assert len(NOTEBOOKS) >= 2
    outputs = [o for path in NOTEBOOKS for c in nbformat.read(path, as_version=4).cells for o in c.get("outputs", [])]
    kinds = {kind for o in outputs for kind in o.get("data", {})}
    assert {"image/png", "text/html"} <= kinds and any("adjoint of line" in o.get("text", "") for o in outputs)


if __name__ == "__main__":
    import nbformat
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for path in NOTEBOOKS:
        nbformat.write(executed(path), path)
        print(f"saved {path}")
