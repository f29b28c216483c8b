"""The scoreboard on a GPU, as far as it goes without one: each program of each row at a tiny size against the readable
source on the CPU, Gradscribe's in the simulator, JAX's and PyTorch's on the CPU where they are installed, CuPy's with
NumPy in its place."""

import json
import math
import sys

import numpy as np
import pytest

import gradscribe as gs
from benchmarks.gpu import __main__ as command, by_hand, machine, peers, programs, rows, tables
from benchmarks.gpu.peers import COLUMNS, CUPY, JAX, OURS, TORCH, TORCH_COMPILED
from benchmarks.gpu.rows import ROWS, TINY
from benchmarks.harness import Absent, disagreements, leaves

from .calls import Calls

MACHINE = {"gpu": "a GPU", "driver": "CUDA 13.0", "python": "3.12.1", "packages": {"gradscribe": "0.1.0", "jax": "0.9"},
           "copy": 2e12, "matmul": 5e13}
CASES = [(name, k, case) for name, row in ROWS.items() for k, case in enumerate(row.cases(TINY))]
each_case = pytest.mark.parametrize("name, k, case", [pytest.param(*c, id=f"{c[0]}: {c[2].name}") for c in CASES])


class Plain:
    """Gradscribe on the CPU: the readable source, whatever the target."""

    device_put, device_get = staticmethod(lambda x: x), staticmethod(lambda x: x)

    def __getattr__(self, name):
        return getattr(gs, name)

    @staticmethod
    def jit(f, target):
        return f


def wanted(case, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(peers, "gradscribe", Plain)
        return result(case, OURS)


def result(case, name):
    peer = case.peers[name]()
    out = peer.gradient(*peer.prepare(case.args))
    peer.waiter(out)(out)
    return [np.array(leaf) for leaf in leaves(peer.fetch(out))]


def hold(case, name, got, want):
    assert disagreements({name: got, "the readable source": want}, case.loose) == []


@pytest.fixture(scope="module")
def simulator():
    with Calls(simulator=True) as made:
        yield made


@each_case
@pytest.mark.heavy(one_in=26)
def test_ours(simulator, monkeypatch, name, k, case):
    hold(case, OURS, simulator("tests.gpu.scoreboard", "ours", name, k), wanted(case, monkeypatch))


@pytest.mark.heavy(one_in=2)
@each_case
def test_cupy_by_hand(monkeypatch, name, k, case):
    monkeypatch.setattr(peers, "cupy_module", lambda: np)
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 3)
    np.random.seed(1)
    hold(case, CUPY, result(case, CUPY), wanted(case, monkeypatch))


@each_case
def test_jax(monkeypatch, name, k, case):
    jax = pytest.importorskip("jax", reason="run.py bench has it")
    monkeypatch.setattr(peers, "jax_on_gpu", lambda: jax)
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 3)
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        hold(case, JAX, result(case, JAX), wanted(case, monkeypatch))
    finally:
        jax.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("peer", [TORCH, TORCH_COMPILED])
@each_case
def test_torch(monkeypatch, name, k, case, peer):
    torch = pytest.importorskip("torch", reason="run.py bench --cuda has it, where there is a GPU")
    if peer not in case.peers:
        pytest.skip("it takes no part")
    compiled = torch.compile
    monkeypatch.setattr(torch, "compile", lambda f: compiled(f, backend="aot_eager"))  # all but the writing of kernels
    monkeypatch.setattr(peers, "torch_and_device", lambda: (torch, "cpu"))
    monkeypatch.setattr(rows, "ROWS_AT_ONCE", 3)
    torch.manual_seed(1)
    hold(case, peer, result(case, peer), wanted(case, monkeypatch))


# ---- what draws its own random numbers: its formulas with ours, and all of it with many

SAMPLES = 400_000


def test_the_price_by_hand_has_the_derivatives_of_the_price():
    key = np.array([0, 3], np.uint32)
    want = gs.grad(programs.price, argnums=(0, 1))(1.1, 0.3, key, 500)
    got = by_hand.price_gradient(1.1, 0.3, gs.random.normal(key, (500,), np.float64))
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("name", [CUPY, TORCH])
def test_prices_of_many_paths(monkeypatch, name):
    monkeypatch.setattr(peers, "cupy_module", lambda: np)
    if name == TORCH:
        torch = pytest.importorskip("torch", reason="run.py bench --cuda has it, where there is a GPU")
        monkeypatch.setattr(peers, "torch_and_device", lambda: (torch, "cpu"))
        torch.manual_seed(1)
    np.random.seed(1)
    peer = rows.PRICE[name]()
    got = peer.fetch(peer.gradient(*peer.prepare((1.0, 0.3, np.array([0, 7], np.uint32), SAMPLES))))
    d = 0.15                                     # of Black and Scholes: half of the volatility
    want = 0.5 * (1 + math.erf(d / math.sqrt(2))), math.exp(-d * d / 2) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(got, want, rtol=0.01)


# ---- the sizes, and who takes part

def test_cases_say_what_there_is_to_do_and_who_does_it():
    for name, row in ROWS.items():
        for case in row.cases(rows.QUICK):
            assert set(case.peers) <= set(COLUMNS) and {OURS, JAX, TORCH, CUPY} <= set(case.peers), name
    assert {name for name, _, case in CASES if case.q == 0.8} == {"3", "8", "11"}
    assert {name for name, _, case in CASES if case.q == 0.2} == {"9", "17"}
    assert [case.of_copy for name, _, case in CASES if name == "elementwise"] == [0.85]


def test_a_library_without_a_gpu_is_absent(monkeypatch):
    case = CASES[0][2]
    jax = pytest.importorskip("jax", reason="run.py bench has it")
    if jax.default_backend() == "gpu":
        pytest.skip("JAX has a GPU here")
    with pytest.raises(Absent, match="JAX finds no GPU"):
        case.peers[JAX]()


# ---- measuring, and the page

def test_a_row_is_measured(simulator, tmp_path):
    simulator("tests.gpu.scoreboard", "measured", "3", str(tmp_path))
    row = json.loads((tmp_path / "row.json").read_text())
    [case] = row["cases"]
    assert case["problems"] == [] and case["q"] > 0 and case["bytes"] == 6 * 8 * 30
    assert {OURS, CUPY} <= set(case["peers"]) and not {OURS, CUPY} & set(case["missing"])


def child(text):
    """A command that stands for a row's process: it has the words of one in `words`, and its file as `into`."""
    return (sys.executable, "-c", "import sys, time, pathlib; words = sys.argv[1:]; "
                                  f"into = pathlib.Path(words[words.index('--into') + 1]); {text}")


@pytest.mark.heavy(one_in=2)
def test_a_row_that_dies_or_has_no_end_costs_no_other():
    good = command.apart(
        "3", True, child("into.write_text('{\"row\": \"3\", \"cases\": [1]}') if words[-1] == '--quick' else 1 / 0"))
    assert good == {"row": "3", "cases": [1], "problems": []}
    dead = command.apart("3", False, child("sys.exit(7)"))
    assert (dead["problems"] == ["its process died with exit code 7"] and dead["cases"] == []
            and "row 3:" in tables.markdown([dead]))
    late = command.apart("3", False,
                         child("into.write_text('{\"row\": \"3\", \"cases\": [2]}'); time.sleep(60)"), limit=2)
    assert late == {"row": "3", "cases": [2], "problems": ["not done after 2 s"]}


def test_what_a_machine_can_do_is_measured():
    found = machine.figures(np, lambda _: None, 1 << 16, 64, budget=0.01)
    assert 1e7 < found["copy"] < 1e13 and 1e6 < found["matmul"] < 1e13
    assert machine.cuda(13020) == "CUDA 13.2" and machine.versions()["numpy"] == np.__version__


def made_up():
    """A row with two cases: one that reaches its aims, one that is absent or wrong."""
    return {"row": "3", "title": "tanh", "problems": [], "machine": MACHINE, "cases": [
        {"case": "n = 1,000,000",
         "peers": {OURS: {"gradient": 6e-5, "first_gradient": 0.5}, JAX: {"gradient": 1e-4, "first_gradient": 2.0},
                   TORCH: {"gradient": 3e-4, "first_gradient": 0.01}},
         "missing": {CUPY: {"absent": "No module named 'cupy'"}}, "problems": [], "q": 0.6, "best": JAX, "r": None,
         "limit": None, "bytes": 1.08e8, "flops": 1.5e8, "at_most": 0.8, "of_copy": 0.95},
        {"case": "n = 2", "peers": {OURS: {"first_gradient": 0.5}}, "missing": {JAX: {"failed": "ValueError: no"}},
         "problems": ["gradient: ours and JAX differ by 1.0e-01"], "q": None, "best": None, "r": None, "limit": None,
         "bytes": 0, "flops": 0, "at_most": 0.8, "of_copy": None}]}


PAGE = """| # | case | ours | JAX | PyTorch | torch.compile | CuPy by hand | q | of the copy | of the product | aim |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| 3 | n = 1,000,000 | 60.0 us | 100 us | 300 us |  | absent | 0.60 (JAX) | 90 % | 5.0 % | \
q <= 0.8: reached, >= 95 % of the copy: missed |
| 3 | n = 2 | wrong | failed |  |  |  |  |  |  | q <= 0.8: not measured |"""


def test_the_page_of_made_up_times():
    text = tables.markdown([made_up()])
    assert PAGE in text
    assert ("Rows 3: a GPU, driver of CUDA 13.0, float64, python 3.12.1, gradscribe 0.1.0, jax 0.9; "
            "a copy moves 2.00 TB/s, a product of matrices has 50.0 TFLOP/s.") in text
    assert "| 3 | n = 1,000,000 | 500 ms | 2.00 s | 10.0 ms |  | absent |" in text
    assert text.endswith("## Not as it should be\n\n- row 3, n = 2: gradient: ours and JAX differ by 1.0e-01\n"
                         "- row 3, n = 2: JAX could not be made: ValueError: no\n")


def test_rows_that_are_not_measured_again_are_kept(tmp_path):
    command.save([made_up()], tmp_path)
    command.save([made_up() | {"row": "n-body", "title": "forces"}], tmp_path)
    command.save([made_up() | {"title": "anew"}], tmp_path)
    assert [row["row"] for row in json.loads((tmp_path / "results-cuda.json").read_text())["rows"]] == ["3", "n-body"]
    text = (tmp_path / "results-cuda.md").read_text()
    assert "- 3: anew" in text and "- n-body: forces" in text and "Rows 3, n-body: a GPU" in text


def test_arguments(capsys):
    assert command.arguments(["--rows", "9,n-body", "--quick"]).rows == ["9", "n-body"]
    assert command.arguments([]).rows == list(ROWS) and set("3 4 5 8 9 11 12 17 monte-carlo n-body".split()) < set(ROWS)
    with pytest.raises(SystemExit):
        command.arguments(["--rows", "10"])
    assert "no rows ['10']" in capsys.readouterr().err


def test_without_a_gpu_the_command_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(command, "why_not",
                        lambda: 'target="cuda" needs a GPU of NVIDIA and its driver, and finds none')
    monkeypatch.setattr(command, "apart", lambda *args: 1 / 0)
    monkeypatch.setattr(command.os, "environ", {})
    assert command.main(["--quick"]) == 1
    assert (capsys.readouterr().err
            == 'benchmarks.gpu: target="cuda" needs a GPU of NVIDIA and its driver, and finds none\n')
