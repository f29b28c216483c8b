"""The coverage table has no empty cell, and the page that shows it is up to date."""
from tests.support import coverage_table


def test_no_cell_is_empty():
    empty = [construct for construct, cells in coverage_table.rows() if not all(cells)]
    assert not empty


def test_the_page_is_up_to_date():
    assert (coverage_table.PAGE.read_text(encoding="utf-8")
            == coverage_table.page()), "run: python -m tests.support.coverage_table"
