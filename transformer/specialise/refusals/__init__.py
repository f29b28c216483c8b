"""What is refused of a text before it runs, and in which words.

To add: A construct that is never supported is refused here, with what to write instead; what depends on values is
refused where it is evaluated.

Imports transformer.errors, transformer.frontend, transformer.library, transformer.specialise.domain.
"""
