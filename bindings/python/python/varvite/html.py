"""HTML for notebooks.

Names and texts of a graph come from strangers. Each is escaped, so that no tag and no script gets through, and
characters that are not shown, or that change the direction of text around them, are shown as escapes such as `\\u202e`.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Sequence

TEXT_MAX = 120
"""The number of characters of a cell; the rest is cut off."""

HIDDEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
"""The categories of characters that are not shown, or act on others: controls, formats, and separators of lines."""


def text(value: object, limit: int | None = TEXT_MAX) -> str:
    """A value as HTML that shows its text and nothing else."""
    shown = str(value)
    if limit is not None and len(shown) > limit:
        shown = shown[:limit] + "…"
    return html.escape("".join(map(visible, shown)), quote=True)


def visible(character: str) -> str:
    """The character, or its escape if it is not shown."""
    if unicodedata.category(character) not in HIDDEN:
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def table(names: Iterable[object], rows: Iterable[Sequence[object]]) -> str:
    """A table with a line of names."""
    head = "".join(f"<th>{text(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cell(value: object) -> str:
    """A cell of a table: empty for `None`, with digits in groups for a count."""
    return f"<td>{'' if value is None else text(value)}</td>"


def lines(content: str) -> str:
    """Lines of text of fixed width."""
    return f"<pre>{chr(10).join(text(line, None) for line in content.splitlines())}</pre>"


def caption(content: object) -> str:
    """A line above or below a table."""
    return f"<div><small>{text(content, None)}</small></div>"


def page(document: str, height: int) -> str:
    """A whole page in a frame, whose scripts cannot reach the notebook around it."""
    source = html.escape(document, quote=True)
    return f'<iframe sandbox="allow-scripts" width="100%" height="{height:d}" srcdoc="{source}"></iframe>'
