"""Where the terms of a sum that is finished later are computed: with the sum, and not as soon as they can be.

    k = f(y)                        # at2 and at3 could be computed beside at1, in loops that read y and k; each would
    at1 = y + 0.5 * k               # be an array of its own, to be read again. Now they are computed where the rest
    at2 = y + 0.1 * k               # of the sum is known:
    ...
    k2 = f(at1)                     # at2 = y + 0.1 * k + 0.2 * k2
    at2__1 = at2 + 0.2 * k2
"""
from __future__ import annotations

from ..core import Block, Let, Stmt, bound
from ..rules.kinds import Reduction
from .units import FusedGroup, needs


class Chains:
    """What the statements of a block depend on, and which values only one statement reads."""

    def __init__(self, block: Block, stmts: list[Stmt], types, is_member):
        self.types, self.is_member = types, is_member
        self.users: dict[str, list[Stmt | None]] = {name: [None] for name in block.results if isinstance(name, str)}
        self.number: dict[str, int] = {}  # a bit for each statement
        self.before: dict[str, int] = {}  # the statements that a name depends on, its own among them
        for k, stmt in enumerate(stmts):
            read = needs(stmt)
            found = 1 << k
            for name in read:
                found |= self.before.get(name, 0)
                self.users.setdefault(name, []).append(stmt)
            self.before.update((name, found) for name in bound(stmt))
            self.number.update((name, 1 << k) for name in bound(stmt))

    def ends_after(self, let: Let, group: FusedGroup) -> bool:
        """Does a value only go into others that need, besides, what is computed from this group's values?"""
        names = group.names
        own = sum(self.number.get(name, 0) for name in names)
        name = let.name
        while True:
            user = self.only_user(name)
            if user is None:
                return False
            if any(other not in names and self.before.get(other, 0) & own for other in needs(user) - {name}):
                return True
            name = user.name

    def only_user(self, name: str) -> Let | None:
        """The one statement that reads a value, element by element."""
        users = self.users.get(name, ())
        if len(users) != 1 or users[0] is None or not self.is_member(users[0]):
            return None
        (user,) = users
        same_loops = not isinstance(user.op, Reduction) and self.types[user.name].dims == self.types[name].dims
        return user if same_loops else None
