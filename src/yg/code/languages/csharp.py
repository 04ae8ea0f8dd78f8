"""C#: tokens only, with the line breaks of the preprocessor."""

from __future__ import annotations

from yg.code.language import tokens_only
from yg.code.languages.c import DIRECTIVES, add_define, preprocessor_breaks
from yg.code.languages.c_style import BLOCK_COMMENT, CHARACTER, STRING, lexicon
from yg.code.nested import Quotes, strings

LINE_COMMENT = r"// [^\n\x85\u2028\u2029]*+"
RAW = r'(?P<raw> \$*+ (?P<quotes> "{3,}+ ) .*? (?P=quotes) (?!") ) | (?P<bad_raw> "{3,}+ )'
VERBATIM = r'@" [^"]*+ (?: "" [^"]*+ )*+ "'
INTERPOLATED = {
    '$"': Quotes('"', hole=r"\{", escape=r"\\.|\{\{"),
    '$@"': Quotes('"', hole=r"\{", escape=r'""|\{\{', multiline=True),
    '@$"': Quotes('"', hole=r"\{", escape=r'""|\{\{', multiline=True),
}
SKIPPED = " | ".join((LINE_COMMENT, BLOCK_COMMENT, VERBATIM, STRING, CHARACTER))

CSHARP = tokens_only(
    "csharp",
    lexicon(
        first=rf"""{DIRECTIVES} | {RAW}
    | (?P<verbatim> {VERBATIM} )
    | (?P<interpolated> \$@?" | @\$" )""",
        comment=rf"{LINE_COMMENT} | {BLOCK_COMMENT}",
        lines=True,
        hooks={"define": add_define, "interpolated": strings(INTERPOLATED, SKIPPED)},
    ),
    preprocessor_breaks,
)
