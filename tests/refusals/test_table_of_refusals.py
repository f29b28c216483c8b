"""The table of docs/language.md, both columns: what stands on the left is refused, what stands on the right works
(the functions of its rows: tests/refusals/rows_of_refusals.py, rows_of_arrays.py, rows_of_exceptions.py)."""
import pathlib

import numpy as np
import pytest

import gradscribe as gs
from tests.refusals import rows_of_arrays as arrays, rows_of_exceptions as e, rows_of_refusals as r
from tests.refusals.rows_of_refusals import X, squares

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "language.md"

ROWS = {  # the beginning of a row -> [(what is refused, what the message says, what works)]
    "a set of values": [(r.a_set, "it is an item of a set", r.a_tuple)],
    "a dict with keys": [(r.grouped_by_the_run, "it is a key", r.grouped_by_masks),
                         (r.keyed_by_two_kinds, "it is a key", r.placed_in_an_array),
                         (r.changed_in_its_loop, "it is a key", r.changed_in_a_loop_over_a_list)],
    "a result that is a number": [(r.of_either_class_compiled, "Python's or one of NumPy's", r.of_one_class)],
    "a dict that has": [(r.keys_in_any_order, "other keys, on each path", r.keys_from_the_start),
                        (r.key_on_one_path, "on each path", r.keys_on_both_paths)],
    "`heapq.merge`": [(r.merged, "heapq.merge", r.sorted_together)],
    "a `defaultdict`": [(r.given_defaults, "defaultdict", r.given_a_dict),
                        (r.filled_inside, "the function returns a defaultdict", r.filled_and_plain)],
    "an `except`": [(r.caught, "try / except*", r.divided)],
    "`with` of": [(r.within_errstate, "np.errstate(all='raise')", r.result_tested), (r.redirected, "", squares)],
    "arithmetic of whole": [(r.records_added, "arithmetic of records", r.columns_added),
                            (r.a_record_returned, "the function returns a record", r.its_fields_returned),
                            (r.records_of_names, "which are no numbers", r.names_in_a_list)],
    "a DataFrame": [(r.table_returned, "a DataFrame or Series as a result", r.columns_returned),
                    (r.mean_of_a_column, "mean of a Series", r.mean_of_an_array)],
    "arithmetic of an index": [(arrays.scaled_by_an_index, "multiply of an index", arrays.scaled_by_its_array),
                               (arrays.function_of_an_index, "sin of an index", arrays.scaled_by_its_array)],
    "a DataArray": [(r.labelled, "is a DataArray of xarray", r.unlabelled)],
    "a class inside": [(r.class_inside, "a class inside a function", r.class_outside)],
    "an async function": [(r.awaited_inside, "an async function", r.awaited_outside)],
    "`logger.exception`": [(r.traceback_logged, "does input or output", r.text_logged),
                           (r.traceback_asked, "exc_info= of a logger", r.text_logged),
                           (r.list_logged, "as a value of a logger's message", r.text_logged)],
    "a warning in": [(r.filtered_inside, "catch_warnings with filters of its own", r.filtered_outside)],
    "an exception that is caught": [(e.caught_as_it_prints, "does more than set its attributes", e.caught_quietly),
                                    (e.caught_as_it_stores, "does more than set its attributes", e.caught_quietly)],
    "a function that prints": [(e.root_of_what_prints, "a function that prints", e.root_printed)],
    "a result that depends": [(r.timed, "the clock", r.timed_outside), (r.pauses, "time.sleep", r.timed_outside)],
    "`np.random`": [(r.noisy, "hidden random state", r.keyed)],
    "a draw of": [(r.drawn_in_a_loop, "this Generator cannot be used here", r.drawn_before),
                  (r.drawn_in_a_branch, "of a generator after 1 draw on one path", r.drawn_before)],
    "a change of": [(r.remembers, "a change of HISTORY", r.hands_on)],
    "an array in a list": [(arrays.kept_and_returned, "that others see, too", arrays.kept_as_a_copy)],
    "an array on one path": [(r.array_or_number, "goes into a derivative", r.array_on_both)],
    "arrays or numbers of another dtype": [(arrays.real_or_complex, "not of complex128 here", arrays.complex_both),
                                           (arrays.of_two_dtypes, "not of float64 here", arrays.of_one_dtype)],
    "complex numbers": [(r.ordered, "complex", r.parts_ordered), (r.erf_of_complex, "complex", r.erf_of_real)],
    "a NumPy function": [(r.without_rule, "np.asarray_chkfinite has no rule", r.own_function)],
    "what else SciPy solves": [(r.solved, "scipy.optimize.fsolve has no rule", r.iterated)],  # others: test_advice.py
    "a function under `np.vectorize` with": [(arrays.excluding, "otypes= or excluded=", arrays.without_excluding)],
    '`"%(name)s" % values`': [(arrays.percent_by_name, "of values of the run time", arrays.f_string)],
    "`np.lib.stride_tricks.as_strided`": [(arrays.windows_by_bytes, "sliding_window_view", arrays.windows_that_slide),
                                          (arrays.windows_stored_into, "as_strided", arrays.windows_by_strides)],
    "a store into an array of None": [(arrays.array_of_none, "a store into the ndarray", arrays.array_of_nan)],
    "a masked array": [(lambda x: gs.grad(squares)(np.ma.masked_array(X, X > 1.0)), "a masked array",
                        lambda x: np.sum(np.where(X > 1.0, 0.0, x) ** 2))],
    "`gs.grad` of": [(lambda x: x * x, "one float", squares),
                     (gs.grad(squares), "one float", lambda x: np.sum(gs.hessian(squares)(x) * x))],
    "an int or bool": [(lambda x: gs.grad(squares)(np.array([1, 2])), "only floats have derivatives",
                        lambda x: gs.grad(squares)(np.array([1, 2]).astype(float)) @ x[:2])],
}
# with transformations of their own
CALLED = (r.a_record_returned, r.table_returned, r.filled_inside, r.given_defaults, r.of_either_class_compiled,
          arrays.kept_and_returned)


def rows() -> list[str]:
    lines = PAGE.read_text(encoding="utf-8").split("| refused | write instead |\n")[1].splitlines()[1:]
    return [line[2:] for line in lines[:next(k for k, line in enumerate(lines) if not line.startswith("|"))]]


def test_each_row_has_its_programs():
    begins = [[key for key in ROWS if row.startswith(key)] for row in rows()]
    assert begins == [[key] for key in ROWS]


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("refused, says, works", [row for rows in ROWS.values() for row in rows])
def test_both_columns(refused, says, works):
    with pytest.raises(gs.GradscribeError) as caught:
        (refused if refused in CALLED else gs.grad(refused))(X)
    of_the_run = isinstance(caught.value, gs.errors.RefusedValue)  # its message is all there is
    assert says in f"{caught.value}" and ("write" in f"{caught.value}" if of_the_run else caught.value.instead)
    value, slope = gs.value_and_grad(works)(X)
    direction, h = np.array([0.5, -1.0, 0.25]), 1e-5
    np.testing.assert_allclose(value, works(X))
    np.testing.assert_allclose(slope @ direction, (works(X + h * direction) - works(X - h * direction)) / (2.0 * h),
                               rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(gs.jit(gs.grad(works))(X), slope, rtol=1e-12)
    both = np.stack([X, X[::-1]])
    np.testing.assert_allclose(gs.vmap(gs.grad(works))(both), [gs.grad(works)(x) for x in both], rtol=1e-10)
