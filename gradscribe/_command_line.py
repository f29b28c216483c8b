"""The command `gradscribe`: its parser, and the exit status of what it runs.

    0    fine
    1    something was found, or the user's function is refused or raises
    2    bad usage
    130  Ctrl-C
"""
from __future__ import annotations

import argparse
import ast
import os
import sys
from typing import Any, Callable

from gradscribe.transformer.errors.tracebacks import user_call

from . import _commands as commands
from ._failures import failure_text, place_of_exception
from ._named_functions import BadUsage
from ._version import __version__

TRANSFORMS = {"grad": "the source of a gradient", "value_and_grad": "the source of a value with its gradient",
              "jacfwd": "the source of a Jacobian, forward mode", "jacrev": "the source of a Jacobian, reverse mode",
              "hessian": "the source of a matrix of second derivatives",
              "vmap": "the source for a whole batch of examples",
              "jit": "the source of the function itself, as it is compiled"}
RUNS = {"explain": "all stages from a function to its compiled loops",
        "trace": "what each line of the source has bound in a run",
        "profile": "where the time of a call goes, by the line"}
RUNS_FILE = """\
FILE.py is imported: all statements of the file run, as `python FILE.py` runs them, but for an
`if __name__ == "__main__"` block. Do not name a file that you would not run. --at is evaluated with np, math
and the names of the file."""
SHELLS = ("bash", "zsh", "fish")


def main(argv: list[str] | None = None) -> int:
    """Run the command; the exit status."""
    caller = user_call(sys._getframe())
    sys.stdout = sys.stdout or open(os.devnull, "w")  # it is None where it is closed
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends nothing
    try:
        status = status_of(argv)
        sys.stdout.flush()
        return status
    except BadUsage as error:
        print(f"gradscribe: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except (Exception, SystemExit) as error:  # a file may call sys.exit
        if isinstance(error, BrokenPipeError) and place_of_exception(error) is None:  # who has read has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(failure_text(error, caller), file=sys.stderr)
        return 1


def status_of(argv: list[str] | None) -> int:
    parser = command_parser()
    try:
        options = parser.parse_args(argv)
    except SystemExit as done:  # --help, --version, or argparse has said what is wrong
        return int(done.code or 0)
    options.parser = parser
    return options.run(options)


# the parser ---------------------------------------------------------------------------------------
def command_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "gradscribe", description="Shows, checks and explains the source that Gradscribe writes.",
        epilog='example:\n  gradscribe grad model.py:loss --at "x=np.ones(3), n=4"\n\n'
               "exit status: 0 fine, 1 something found or refused, 2 bad usage",
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"gradscribe {__version__}")
    added = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name, what in TRANSFORMS.items():
        add_transform(added, name, what)
    for name, what in RUNS.items():
        add_shown_run(added, name, what)
    add_check(added)
    add_cache(added)
    add_command(added, "doctor", "look whether all is well here", commands.doctor_command, "",
                "Prints versions, BLAS, threads, variables of the environment, GPU and cache folder, and runs a small "
                "gradient.")
    shell = add_command(added, "completion", "a script that completes commands", commands.completion_command,
                        'bash   # eval "$(gradscribe completion bash)" in ~/.bashrc')
    shell.add_argument("shell", choices=SHELLS, help="whose script is printed")
    return parser


def add_command(added, name: str, what: str, run: Callable, example: str, more: str = "") -> argparse.ArgumentParser:
    parser = added.add_parser(
        name, help=what, description=f"Prints {what}." if not more else more,
        epilog=f"example:\n  gradscribe {name} {example}".rstrip(),
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.set_defaults(run=run)
    return parser


def add_function(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="FILE.py:FUNCTION", help="or package.module:FUNCTION, Class.method")
    parser.add_argument("--at", metavar="ARGUMENTS", help='arguments as of a call: "x=np.ones(3), n=4"')


def add_transform(added, name: str, what: str) -> None:
    example = {"vmap": '--at "np.ones((8, 3)), 4" --in-axes 0,None'}.get(name, '--at "x=np.ones(3), n=4"')
    parser = add_command(added, name, what, commands.transform_command, f"model.py:loss {example}",
                         f"Prints {what}, for arguments like those of --at.\n\n{RUNS_FILE}")
    add_function(parser)
    if name in commands.DERIVATIVES:
        add_argnums(parser)
    if name == "vmap":
        parser.add_argument("--in-axes", metavar="AXES", type=axes_literal, default=0,
                            help="the axis of examples of each argument: 0,None")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stage", choices=("readable", "core", "compiled"), default="readable",
                     help="what runs without gs.jit, what passes work on, or the loops that numba compiles")
    way.add_argument("--html", metavar="FILE", help="write a page that shows the source beside the function")
    way.add_argument("--export", metavar="FILE", help="write a file that needs NumPy alone")
    way.add_argument("--save", metavar="FILE", help="write the compiled form into a file, for gs.load")
    way.add_argument("--check", action="store_true",
                     help="compare the derivatives at --at with finite differences: runs the function")


def add_argnums(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--argnums", metavar="NUMBERS", type=argument_numbers, help="by which arguments, from 0: 0,1")


def add_shown_run(added, name: str, what: str) -> None:
    parser = add_command(added, name, what, commands.shown_run_command, 'model.py:loss --at "x=np.ones(3), n=4"',
                         f"Prints {what}, for arguments like those of --at.\n\n{RUNS_FILE}")
    add_function(parser)
    parser.add_argument("--of", choices=[*commands.DERIVATIVES, "jit"],
                        help="of what; without it of the gradient, or of the function itself (jit) where the result or "
                             "the first argument has none")
    add_argnums(parser)
    if name == "profile":
        parser.add_argument("--compiled", action="store_true", help="of the loops that numba compiles, as of gs.jit")


def add_check(added) -> None:
    parser = add_command(added, "check", "what is refused of functions of files", commands.check_command, "model.py",
                         "Prints a line FILE:LINE:COLUMN: message for all that Gradscribe cannot read in the functions "
                         f"that a file\ndefines. No function runs.\n\n{RUNS_FILE}")
    parser.add_argument("targets", metavar="FILE.py[:FUNCTION]", nargs="+", help="files, or functions of them")
    parser.add_argument("--at", metavar="ARGUMENTS",
                        help="of one function: what a call like this would refuse, types and shapes included")


def add_cache(added) -> None:
    parser = add_command(added, "cache", "what compiled code takes on disk, and removes it", commands.cache_command,
                         "clear --yes",
                         "Prints where compiled code is kept and how much, or removes it: it is compiled again when it "
                         "is needed.")
    parser.add_argument("action", choices=("info", "clear"), help="what to do")
    parser.add_argument("--yes", action="store_true", help="clear without asking")


# types of options ---------------------------------------------------------------------------------
def argument_numbers(text: str) -> int | tuple[int, ...]:
    try:
        found = tuple([int(part) for part in text.split(",")])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number, and no numbers with commas: 0,1") from None
    return found if "," in text else found[0]


def axes_literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise argparse.ArgumentTypeError(f"{text!r} is no axis, and no tuple of axes: 0,None") from None
