"""From a function to a syntax tree that is simple: `capture` finds its text and what it sees; `desugar`, `exits`,
`yields` write much of Python in terms of less.

To add: Syntax that can be said with other syntax is rewritten here, and nothing after it has to know.

Imports transformer.errors.
"""
