"""What each command does: a function of the options that gives the exit status."""
from __future__ import annotations

import argparse
import functools
import inspect
import os
import sys
from typing import Any, Callable

import gradscribe as gs
from gradscribe.runtime.compiler import cache
from gradscribe.transformer.errors.messages import Problem, shown_file
from gradscribe.transformer.functions.transformed import Transformed

from ._completion import completion_script
from ._doctor import doctor
from ._kept_files import clear_cache, print_cache_info
from ._named_functions import AT, BadUsage, arguments_at, functions_in, module_at, named_function
from ._terminal import print_python

DERIVATIVES = {"grad": gs.grad, "value_and_grad": gs.value_and_grad, "jacfwd": gs.jacfwd, "jacrev": gs.jacrev,
               "hessian": gs.hessian}


# the source of one function -----------------------------------------------------------------------
def transform_command(options: argparse.Namespace) -> int:
    """Print the source of a transformed function, or make a file of it, or check it."""
    module, function = named_function(options.target)
    args, kwargs = arguments_at(options.at, module, function)
    made = transformed_function(options, function)
    if options.html:
        gs.show(made, *args, **kwargs).save(options.html)
        print(f"written: {options.html}")
    elif options.export:
        gs.export(made, options.export, *args, **kwargs)
        print(f"written: {options.export}")
    elif options.save:
        gs.save(made, options.save, *args, **kwargs)
        print(f"written: {options.save}")
    elif options.check:
        return check_derivatives(options, made, function, args, kwargs)
    else:
        print_python(made.source(*args, stage=options.stage, **kwargs))
    return 0


def transformed_function(options: argparse.Namespace, function: Callable) -> Transformed:
    match options.command:
        case "jit":
            return gs.jit(function)
        case "vmap":
            return gs.vmap(function, in_axes=options.in_axes)
    return DERIVATIVES[options.command](function, **given_argnums(options))


def given_argnums(options: argparse.Namespace) -> dict[str, Any]:
    return {} if options.argnums is None else {"argnums": options.argnums}


def check_derivatives(options, made: Transformed, function: Callable, args: tuple, kwargs: dict) -> int:
    """Is the call refused, and do derivatives agree with differences?"""
    if problems := gs.check(made, *args, **kwargs):
        print(problems, file=sys.stderr)
        return 1
    looked_at = function if options.command in DERIVATIVES else made
    order = 2 if options.command == "hessian" else 1
    try:
        gs.test_util.check_grads(functools.partial(looked_at, **kwargs) if kwargs else looked_at, args, order=order)
    except AssertionError as error:
        print(f"{options.target}: {error}", file=sys.stderr)
        return 1
    print(f"{options.target}: nothing is refused, and its derivatives agree with differences")
    return 0


# a run of one function ----------------------------------------------------------------------------
def shown_run_command(options: argparse.Namespace) -> int:
    """Print what a transformed function says of a call: its stages, a run, where its time goes."""
    module, function = named_function(options.target)
    args, kwargs = arguments_at(options.at, module, function)
    made = chosen_derivative(options, function, args, kwargs)
    match options.command:
        case "explain":
            print_python(made.explain(*args, **kwargs))
        case "trace":
            print(made.trace(*args, **kwargs))
        case "profile":
            print((gs.jit(made) if options.compiled else made).profile(*args, **kwargs))
    return 0


def chosen_derivative(options, function: Callable, args: tuple, kwargs: dict) -> Transformed:
    """--of; without it the gradient where there is one, else the function itself."""
    of = options.of or ("grad" if options.argnums is not None else None)
    if of == "jit" and options.argnums is not None:
        raise BadUsage("--argnums is of derivatives, and --of jit is none")
    if of is not None:
        return gs.jit(function) if of == "jit" else DERIVATIVES[of](function, **given_argnums(options))
    if isinstance(function, Transformed):
        return function
    gradient = gs.grad(function)
    try:
        gradient.source(*args, **kwargs)
    except gs.errors.SpecialisationError:  # an array as the result, an int as the first argument
        return gs.jit(function)
    return gradient


# files --------------------------------------------------------------------------------------------
def check_command(options: argparse.Namespace) -> int:
    """Print what is refused of functions, a line each, as editors and CI read it."""
    if options.at is not None and not (len(options.targets) == 1 and is_function(options.targets[0])):
        raise BadUsage("--at is of one function: write FILE.py:FUNCTION")
    found: dict[str, None] = {}
    count = 0
    for target in options.targets:
        if is_function(target):
            module, function = named_function(target)
            args, kwargs = arguments_at(options.at, module, function) if options.at is not None else ((), {})
            checked = [(function, args, kwargs)]
        else:
            checked = [(function, (), {}) for function in functions_in(module_at(target)).values()]
        count += len(checked)
        found |= dict.fromkeys([finding_line(problem, function) for function, args, kwargs in checked
                                for problem in gs.check(function, *args, **kwargs)])
    print("".join([f"{line}\n" for line in found]), end="")
    print(f"functions: {count}, findings: {len(found)}", file=sys.stderr)
    return 1 if found else 0


def is_function(target: str) -> bool:
    """FILE.py:FUNCTION, not FILE.py, whose name may have a colon."""
    return ":" in target and not os.path.isfile(target)


def finding_line(problem: Problem, function: Callable) -> str:
    """FILE:LINE:COLUMN: message.  What to do instead."""
    if problem.origin is not None and problem.origin.file != AT:
        place = f"{problem.origin.place}:{problem.origin.col + 1}"
    else:
        place = place_of_function(function)
    text = f"{problem.message}. {problem.instead}" if problem.instead else problem.message
    return f"{place}: {' '.join(text.split())}"


def place_of_function(function: Callable) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{shown_file(code.co_filename)}:{code.co_firstlineno}:1" if code else function.__class__.__name__


# the rest -----------------------------------------------------------------------------------------
def cache_command(options: argparse.Namespace) -> int:
    folder = cache.default_folder()
    if options.action == "clear":
        return clear_cache(folder, options.yes)
    print_cache_info(folder)
    return 0


def doctor_command(options: argparse.Namespace) -> int:
    return doctor()


def completion_command(options: argparse.Namespace) -> int:
    print(completion_script(options.shell, options.parser), end="")
    return 0
