"""A failing program made small: statements deleted, blocks replaced by their bodies,
expressions by their parts, while it still fails alike."""
import ast


def shrink(text, still, tries, details):
    """(text, details): `still(candidate)` gives a reply with details if it fails in the same way."""
    changed = True
    while changed and tries > 0:
        changed = False
        position = 0
        while tries > 0:
            candidate = edited(text, position)
            if candidate is None:
                break
            if candidate != text and len(candidate) <= len(text) + 20:
                tries -= 1
                reply = still(candidate)
                if reply:
                    text, details, changed = candidate, reply["details"], True
                    continue
            position += 1
    return text, details


def edited(text, position):
    """The text after the edit of that number; None beyond the last."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, TypeError):
        return None
    for k, edit in enumerate(edits(tree)):
        if k == position:
            edit()
            try:
                return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            except (ValueError, AttributeError, TypeError, IndexError):     # no program at all
                return text
    return None


def edits(tree):
    """Larger ones first."""
    for node in ast.walk(tree):
        for block in (getattr(node, name, None) for name in ("body", "orelse")):
            if isinstance(block, list):
                for k in reversed(range(len(block))):
                    yield lambda block=block, k=k: delete(block, k)
                    if isinstance(block[k], (ast.If, ast.For, ast.While)):
                        yield lambda block=block, k=k: block.__setitem__(slice(k, k + 1), block[k].body)
    for node in ast.walk(tree):
        for name in ("elts", "args", "keywords", "decorator_list", "bases", "values", "targets"):
            items = getattr(node, name, None)
            if (isinstance(items, list) and not isinstance(node, (ast.Dict, ast.Delete))
                    and len(items) > (name in ("values", "targets"))):
                for k in reversed(range(len(items))):
                    yield lambda items=items, k=k: items.pop(k)
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            for part in parts(value):
                yield lambda node=node, name=name, part=part: setattr(node, name, part)
            if isinstance(value, list):
                for k, item in enumerate(value):
                    for part in parts(item):
                        yield lambda value=value, k=k, part=part: value.__setitem__(k, part)


def delete(block, k):
    block[k:k + 1] = [] if len(block) > 1 else [ast.Pass()]


def parts(node):
    """Expressions that may stand in its place."""
    if not isinstance(node, ast.expr) or isinstance(node, (ast.Name, ast.Constant)):
        return []
    inside = [n for n in ast.iter_child_nodes(node)
              if isinstance(n, ast.expr) and not isinstance(getattr(n, "ctx", None), (ast.Store, ast.Del))]
    return [n for n in inside if not isinstance(node, ast.Attribute)][:3]
