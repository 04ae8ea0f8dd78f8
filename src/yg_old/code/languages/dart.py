"""Dart: tokens only."""

from __future__ import annotations

from yg_old.code import nested
from yg_old.code.language import tokens_only
from yg_old.code.languages.c_style import LINE_COMMENT, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.nested import BLOCK_COMMENT, Quotes, nested_comment, strings

RAW = r"""(?P<raw> r (?: "{3} .*? "{3} | '{3} .*? '{3} | " [^"\n]*+ " | ' [^'\n]*+ ' ) )"""
STYLES = {
    '"""': Quotes('"""', hole=r"\$\{", multiline=True),
    "'''": Quotes("'''", hole=r"\$\{", multiline=True),
    '"': Quotes('"', hole=r"\$\{"),
    "'": Quotes("'", hole=r"\$\{"),
}
VERSION = r"(?P<version> // [ \t]*+ @dart [ \t]*+ = [^\n]*+ )"  # of the language
SKIPPED = (nested.LINE_COMMENT, BLOCK_COMMENT)

DART = tokens_only(
    "dart",
    lexicon(
        first=rf"""{RAW} | {VERSION} | (?P<quoted> ["'] ) | (?P<nested> /\* )""",
        comment=LINE_COMMENT,
        hooks={"quoted": strings(STYLES, SKIPPED), "nested": nested_comment},
    ),
    last_commas(") ] } ;", has_records=True),
)
