"""What is raised and warned of (`messages`), with the user's line and caret; tracebacks without our frames
(`tracebacks`). Users see it as `gradscribe.errors`.

To add: Words of an error stand where it is raised; a class of errors goes to `messages` and into
`gradscribe/errors.py`.

Imports nothing of ours.
"""
