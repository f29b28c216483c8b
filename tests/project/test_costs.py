"""What a newcomer waits for is short, by the recorded cost of the tests; and how far one walks through the code."""
import pytest

from tests.support import costs, walks


def test_the_dearest_case_of_a_test_is_kept():
    lines = ["0.400 a.py::f[1]", "0.300 a.py::f[1]", "0.600 a.py::f[2]", "0.100 a.py::g", "2.000 b.py::h"]
    assert costs.merged(lines, {"a.py::g": 0.9, "c.py::k": 1.0}) == {"a.py::f": 0.7, "b.py::h": 2.0, "c.py::k": 1.0}


def test_few_long_tests_are_waited_for():
    recorded = costs.recorded()
    assert recorded and len(costs.WORTH_IT) <= 5 and costs.WORTH_IT.keys() <= recorded.keys()


def test_long_tests_are_in_the_rest(request):
    """Of those that were collected with this one: of what takes long none is in the first part but for its file."""
    recorded = costs.recorded()
    long = [item for item in request.session.items if recorded.get(item.nodeid.partition("[")[0], 0.0) > costs.LONG
            and item.get_closest_marker("first") and item.nodeid.partition("[")[0] not in costs.WORTH_IT]
    assert len({item.path for item in long}) == len(long), long  # one where a file has nothing that is short


@pytest.mark.parametrize("title, files", [("line of tanh", 132), ("np.linalg.solve", 135), ("np.roll", 144),
                                          ("break", 164), ("append", 168)])
def test_walks_get_no_longer(title, files):
    walk = walks.walked(*walks.PROGRAMS[title])
    assert 50 < len(walk.files) <= files and walk.steps > 0
