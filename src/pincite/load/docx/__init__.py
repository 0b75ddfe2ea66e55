"""Word documents (Office Open XML, transitional and strict): read to items, then written as Markdown.

``package`` finds the parts, ``styles`` and ``numbering`` say what a paragraph is, ``story`` walks over the content
(``inline``, ``grid``, ``notes`` help), ``writing`` puts the blocks down, and ``loader`` is the component.
"""
