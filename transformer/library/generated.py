"""What Python's functions do with the values of a generator, one after the other."""


def listed(items):
    return [x for x in items]


def total(items, start=0):
    return sum((x for x in items), start)


def some(items):
    return any(x for x in items)


def every(items):
    return all(x for x in items)


def largest(items, **default):
    return max(x for x in items) if not default else max((x for x in items), default=default["default"])


def smallest(items, **default):
    return min(x for x in items) if not default else min((x for x in items), default=default["default"])
