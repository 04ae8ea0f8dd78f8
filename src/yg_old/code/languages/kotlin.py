"""Kotlin: tokens only; a line break can end a statement."""

from __future__ import annotations

from functools import partial

from yg_old.code import nested
from yg_old.code.language import tokens_only
from yg_old.code.languages.c_style import CHARACTER, LINE_COMMENT, NAME, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.nested import BLOCK_COMMENT, Quotes, nested_comment, quoted, strings
from yg_old.code.scan import Breaks, without_breaks

STYLES = {
    '"""': Quotes('"""', hole=r"\$\{", escape=r'"(?="{3})', multiline=True),
    '"': Quotes('"', hole=r"\$\{"),
}
SKIPPED = (nested.LINE_COMMENT, BLOCK_COMMENT, quoted("'"))
BREAKS = Breaks(
    inside=frozenset("(["),
    after=frozenset("( [ { , = == != <= && || ?: . ?. :: -> += -= *= /= %= + - / % :".split()),
    before=frozenset(") ] } , . ?. ?: && ||".split()),
)

KOTLIN = tokens_only(
    "kotlin",
    lexicon(
        first=r"""(?P<quoted> " ) | (?P<nested> /\* ) | (?P<shebang> \A\#![^\n]*+ )""",
        character=CHARACTER,
        comment=LINE_COMMENT,
        name=rf"(?: {NAME} | `[^`\n]*+` ) @?",  # `return@a`
        lines=True,
        hooks={"quoted": strings(STYLES, SKIPPED), "nested": nested_comment},
    ),
    last_commas(") ] } > -> ;", partial(without_breaks, breaks=BREAKS)),
)
