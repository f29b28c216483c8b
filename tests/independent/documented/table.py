"""What enters a program of a documentation with its arguments."""


def entering(programs):
    """A decorator that enters a function in this list, with arguments: texts, evaluated for each run."""
    def example(*arguments):
        def enter(function):
            programs.extend((function, text) for text in arguments)
            return function
        return enter
    return example
