"""`gradscribe completion SHELL`: a script that completes commands and options, written from the parser."""
from __future__ import annotations

import argparse
import shlex

BASH = """\
# gradscribe: completion for bash.  eval "$(gradscribe completion bash)"
_gradscribe() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _gradscribe gradscribe
"""

ZSH = """\
#compdef gradscribe
# gradscribe: completion for zsh.  source <(gradscribe completion zsh)
_gradscribe() {{
    if (( CURRENT == 2 )); then
        local -a commands=(
{commands}
        )
        _describe 'command' commands
        compadd -- {options}
    else
        case "${{words[2]}}" in
{cases}
        esac
        _files
    fi
}}
compdef _gradscribe gradscribe
"""


def completion_script(shell: str, parser: argparse.ArgumentParser) -> str:
    return {"bash": bash, "zsh": zsh, "fish": fish}[shell](parser)


def commands_of(parser: argparse.ArgumentParser) -> dict[str, tuple[argparse.ArgumentParser, str]]:
    """{name: (its parser, what it does)}"""
    tables = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    return {choice.dest: (table.choices[choice.dest], choice.help or "")
            for table in tables for choice in table._choices_actions}


def words_after(parser: argparse.ArgumentParser) -> list[str]:
    """The options of a command, and the words that it takes."""
    choices = [str(c) for a in parser._actions if a.choices and not a.option_strings for c in a.choices]
    return choices + options_of_parser(parser)


def options_of_parser(parser: argparse.ArgumentParser) -> list[str]:
    return [max(action.option_strings, key=len) for action in parser._actions if action.option_strings]


def bash(parser) -> str:
    cases = "\n".join([f'            {name}) words="{" ".join(words_after(own))}" ;;'
                       for name, (own, _) in commands_of(parser).items()])
    return BASH.format(commands=" ".join([*commands_of(parser), *options_of_parser(parser)]), cases=cases)


def zsh(parser) -> str:
    commands = "\n".join([f"            {shlex.quote(f'{name}:{what}')}"
                          for name, (_, what) in commands_of(parser).items()])
    cases = "\n".join([f"            {name}) compadd -- {' '.join(words_after(own))} ;;"
                       for name, (own, _) in commands_of(parser).items()])
    return ZSH.format(commands=commands, options=" ".join(options_of_parser(parser)), cases=cases)


def fish(parser) -> str:
    lines = ["# gradscribe: completion for fish.  gradscribe completion fish | source"]
    lines += [f"complete -c gradscribe -n __fish_use_subcommand -l {option[2:]}"
              for option in options_of_parser(parser)]
    for name, (own, what) in commands_of(parser).items():
        lines.append(f"complete -c gradscribe -n __fish_use_subcommand -a {name} -d {shlex.quote(what)}")
        seen = f"complete -c gradscribe -n '__fish_seen_subcommand_from {name}'"
        lines += [f"{seen} -l {word[2:]}" if word.startswith("--") else f"{seen} -a {word}"
                  for word in words_after(own)]
    return "\n".join(lines) + "\n"
