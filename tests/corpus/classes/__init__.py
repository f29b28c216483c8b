"""Programs with classes of the users, by topic; RIGHT, RAISES and REFUSED of `table` have them all."""
# the order of the tables
# isort: off
from . import plain, access, special_methods, data_classes, subclasses, outside
