"""PHP: tokens only; text outside of its tags counts as it is."""

from __future__ import annotations

from yg_old.code.language import tokens_only
from yg_old.code.languages.c_style import BLOCK_COMMENT, lexicon
from yg_old.code.languages.commas import last_commas
from yg_old.code.nested import Quotes, quoted, strings

TAG = r"<\?(?: php \b | = )"
OUTSIDE = rf"""(?P<outside> \A .*? (?: {TAG} | \Z ) | \?> .*? (?: {TAG} | \Z ) )"""
HEREDOC = r"""(?P<heredoc> <<< [ \t]*+ (?P<quote> ["']? ) (?P<mark> [^\W\d]\w*+ ) (?P=quote) \n
    (?: .*? \n )?? [ \t]*+ (?P=mark) \b )
    | (?P<bad_heredoc> <<< [ \t]*+ ["']? [^\W\d] )"""
DATA = r"(?P<data> (?i: __halt_compiler ) \b .* \Z )"
SINGLE = r"' [^'\\]*+ (?: \\. [^'\\]*+ )*+ '"
STYLES = {
    '"': Quotes('"', hole=r"\{\$|\$\{", multiline=True),
    "`": Quotes("`", hole=r"\{\$|\$\{", multiline=True),
}
SKIPPED = (quoted("'", multiline=True),)

PHP = tokens_only(
    "php",
    lexicon(
        first=rf"""{OUTSIDE} | {HEREDOC} | {DATA} | (?P<quoted> ["`] )
    | (?P<variable> (?<!\$) \$++ (?= [\w{{] ) )""",
        comment=rf"(?: \#(?!\[) | // ) (?: (?!\?>) [^\n] )*+ | {BLOCK_COMMENT}",
        character=SINGLE,
        name=r"[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+",
        hooks={"quoted": strings(STYLES, SKIPPED)},
    ),
    last_commas(") ] }"),
    start="<?php ",
)
