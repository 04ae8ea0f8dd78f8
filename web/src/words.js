// The words of a text, as `yg find` sees them: identifiers, whole and in parts, case folded.

const IDENTIFIER = /[\p{L}\p{N}_]+/gu;
const IDEOGRAPH = "[\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}]";
const BORDER = new RegExp(
  `_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=${IDEOGRAPH})(?=[^_])|(?<=[^_])(?=${IDEOGRAPH})`,
  "u",
);
const known = new Map();

// Case folding, which makes `ß`, `ẞ` and `ss`, `ﬁ` and `fi`, `ς` and `σ` the same, but not `ı` and `i`.
export const fold = (text) =>
  text.replace(/[^ı]+/g, (part) => part.toUpperCase().replace(/ẞ/g, "SS").toLowerCase()).replace(/ς/g, "σ");

function wordOf(identifier) {
  if (!known.has(identifier)) {
    const bare = identifier.replace(/^_+|_+$/g, "");
    known.set(identifier, { whole: fold(bare), parts: bare.split(BORDER).filter(Boolean).map(fold) });
  }
  return known.get(identifier);
}

export const wordsOf = (text) =>
  (text.normalize("NFC").match(IDENTIFIER) ?? []).map(wordOf).filter((word) => word.parts.length);

export const occurrences = (text) =>
  [...text.matchAll(IDENTIFIER)]
    .map((match) => ({ word: wordOf(match[0]), start: match.index, end: match.index + match[0].length }))
    .filter(({ word }) => word.parts.length);
