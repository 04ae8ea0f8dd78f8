// Search: the same documents in the same order as `yg find`. What is indexed, what a query matches
// and how the results are ranked is written down in `src/yg/kernel/find.py`.

import { occurrences, wordsOf } from "./words.js";

export const MOST = 20; // results
const MOST_WORDS = 64; // in a query
const WEIGHTS = [8, 4, 1, 0.5]; // of the columns: name, path, body, parts
const [K1, B] = [1.2, 0.75];
const TERM = /(-?)(?:"([^"]*)"?(\*?)|(\S+))/g;

export function parsed(text) {
  const terms = new Map();
  for (const [, minus, phrase = "", star = "", bare = ""] of text.matchAll(TERM)) {
    const words = wordsOf(phrase || bare);
    if (!words.length) continue;
    const term = {
      wholes: words.map((word) => word.whole),
      parts: words.flatMap((word) => word.parts),
      isPrefix: Boolean(star) || (phrase || bare).endsWith("*"),
      isExcluded: Boolean(minus),
      isQuoted: Boolean(phrase),
    };
    terms.set(JSON.stringify(term), term);
  }
  const all = [...terms.values()];
  const count = all.reduce((sum, term) => sum + term.parts.length, 0);
  return {
    wanted: count > MOST_WORDS ? [] : all.filter((term) => !term.isExcluded),
    excluded: all.filter((term) => term.isExcluded),
  };
}

// Every text of the graph with its columns of tokens; made at the first search.
export function indexOf(model) {
  if (model.searched) return model.searched;
  const documents = [];
  for (const thing of model.data.things) {
    const node = model.nodes[model.graph.number(thing.kind, thing.path)];
    const path = thing.kind === "node" ? thing.path : `${thing.kind}s/${thing.path}`;
    thing.texts.forEach((place, at) => {
      const text = model.data.texts[place];
      if (text.fault) return;
      const name = at === 0 ? node.name || path : "";
      const body = wordsOf(searchable(text));
      const columns = [
        name ? withParts(wordsOf(name)) : [],
        name ? withParts(wordsOf(path)) : [],
        body.map((word) => word.whole),
        partsOf(body),
      ];
      const size = columns.reduce((sum, column) => sum + column.length, 0);
      documents.push({ kind: thing.kind, thing: thing.path, path, text, columns, size });
    });
  }
  const total = documents.reduce((sum, document) => sum + document.size, 0);
  model.searched = { documents, average: total / (documents.length || 1) };
  return model.searched;
}

const partsOf = (words) => words.filter((word) => word.parts.length > 1).flatMap((word) => ["_", ...word.parts]);
const withParts = (words) => [...words.map((word) => word.whole), ...partsOf(words)];

// In JSON, escapes of strings are replaced by their characters.
function searchable(text) {
  if (!text.name.endsWith(".json") || !text.body.includes("\\")) return text.body;
  return text.body.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code, letter) => {
    if (!code) return "nrtbf".includes(letter) ? " " : letter;
    const character = String.fromCharCode(parseInt(code, 16));
    return /[\p{C}\p{Z}]/u.test(character) ? " " : character;
  });
}

// How often a phrase occurs among tokens; the last word may be the beginning of a longer one.
function hits(tokens, phrase, isPrefix) {
  const end = phrase.length - 1;
  let found = 0;
  for (let at = end; at < tokens.length; at += 1) {
    const isLast = tokens[at] === phrase[end] || (isPrefix && tokens[at].startsWith(phrase[end]));
    if (isLast && phrase.every((word, place) => place === end || tokens[at - end + place] === word)) found += 1;
  }
  return found;
}

const same = (a, b) => a.length === b.length && a.every((word, at) => word === b[at]);
const phrasesOf = (term) => wordsOfPhrases(term).map((words) => ({ words, isPrefix: term.isPrefix }));

// The words of a term, their parts if those differ, and both in the other number.
function wordsOfPhrases(term) {
  const given = same(term.wholes, term.parts) ? [term.wholes] : [term.wholes, term.parts];
  if (term.isPrefix || term.isQuoted) return given;
  const all = [...given];
  for (const words of given) {
    for (const form of otherNumbers(words.at(-1))) {
      const other = [...words.slice(0, -1), form];
      if (!all.some((known) => same(known, other))) all.push(other);
    }
  }
  return all;
}

// The possible plurals of an English noun, or what it may be the plural of: see `text/plural.py`.
function otherNumbers(word) {
  if (!/^[a-z]{3,}$/.test(word)) return [];
  if (word.endsWith("ies")) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (/(sses|xes|zes|ches|shes|uses)$/.test(word)) return [word.slice(0, -1), word.slice(0, -2)];
  if (word.endsWith("s") && !/(ss|us|is)$/.test(word)) return [word.slice(0, -1)];
  if (/(s|x|z|ch|sh)$/.test(word)) return [`${word}es`];
  return /[^aeiou]y$/.test(word) ? [`${word.slice(0, -1)}ies`] : [`${word}s`];
}

export function search(model, query) {
  const { documents, average } = indexOf(model);
  if (!query.wanted.length) return { found: [], total: 0 };
  const phrases = query.wanted.map(phrasesOf);
  const counts = documents.map(({ columns }) =>
    phrases.map((each) => each.map(({ words, isPrefix }) => columns.map((column) => hits(column, words, isPrefix)))));
  const idf = phrases.map((each, term) => each.map((_, phrase) => {
    const having = counts.reduce((sum, count) => sum + (count[term][phrase].some(Boolean) ? 1 : 0), 0);
    const value = Math.log((documents.length - having + 0.5) / (having + 0.5));
    return value > 0 ? value : 1e-6;
  }));
  const ranked = [];
  documents.forEach((document, at) => {
    const count = counts[at];
    if (!count.every((term) => term.some((phrase) => phrase.some(Boolean)))) return;
    if (query.excluded.some((term) => phrasesOf(term).some(({ words, isPrefix }) =>
      document.columns.some((column) => hits(column, words, isPrefix))))) return;
    let score = 0;
    count.forEach((term, number) => term.forEach((phrase, place) => {
      const frequency = phrase.reduce((sum, times, column) => sum + times * WEIGHTS[column], 0);
      score += (idf[number][place] * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * document.size) / average));
    }));
    ranked.push({
      document,
      isWhole: count.every(([whole]) => whole[0] + whole[1] + whole[2] > 0),
      isNamed: count.some((term) => term.some((phrase) => phrase[0] + phrase[1] > 0)),
      score: Math.round(score * 1e9) / 1e9,
    });
  });
  ranked.sort((a, b) => b.isWhole - a.isWhole || b.isNamed - a.isNamed || b.score - a.score
    || compare(a.document.path, b.document.path) || compare(a.document.text.name, b.document.text.name)
    || compare(a.document.kind, b.document.kind));
  return { total: ranked.length, found: ranked.slice(0, MOST).map((match) => shown(match, query)) };
}

// By code point, as everywhere in yg.
function compare(a, b) {
  const [one, two] = [[...a], [...b]];
  for (let at = 0; at < Math.min(one.length, two.length); at += 1) {
    if (one[at] !== two[at]) return one[at].codePointAt(0) - two[at].codePointAt(0);
  }
  return one.length - two.length;
}

function shown({ document, isNamed }, query) {
  const lines = document.text.body.split("\n");
  const line = isNamed ? nameLine(document, lines) : bestLine(document.text, query);
  return { ...document, line, content: lines[line - 1].trim() };
}

function nameLine({ text }, lines) {
  const key = text.name.endsWith(".json") ? "title" : "name";
  const pattern = new RegExp(`^([\\s{,]*)["']?${key}["']?\\s*:`);
  let best = [Infinity, 1];
  lines.forEach((line, at) => {
    const match = pattern.exec(line);
    if (match && match[1].length < best[0]) best = [match[1].length, at + 1];
  });
  return best[1];
}

function bestLine(text, query) {
  let [best, chosen] = [[0, 0, 0], 1];
  searchable(text).split("\n").forEach((line, at) => {
    const words = wordsOf(line);
    const sum = (test) => query.wanted.reduce((total, term) => total + (test(term) ? 1 : 0), 0);
    const marks = [sum((term) => isIn(term, words)), sum((term) => isWholeIn(term, words)), sum((term) => words.some((word) => touches(term, word)))];
    const at0 = marks.findIndex((mark, place) => mark !== best[place]);
    if (at0 >= 0 && marks[at0] > best[at0]) [best, chosen] = [marks, at + 1];
  });
  return chosen;
}

const isWholeIn = (term, words) => hits(words.map((word) => word.whole), term.wholes, term.isPrefix) > 0;
const isIn = (term, words) => wordsOfPhrases(term).some((phrase) =>
  hits(words.map((word) => word.whole), phrase, term.isPrefix) > 0
  || words.some((word) => hits(word.parts, phrase, term.isPrefix) > 0));

export function touches(term, word) {
  const [mine, theirs] = [wordsOfPhrases(term).flat(), [word.whole, ...word.parts]];
  if (theirs.some((text) => mine.includes(text))) return true;
  const ends = [term.wholes.at(-1), term.parts.at(-1)];
  return term.isPrefix && theirs.some((text) => ends.some((end) => text.startsWith(end)));
}

// A line in pieces; those that the query asks for are marked.
export function pieces(line, query) {
  const found = [];
  let last = 0;
  for (const { word, start, end } of occurrences(line)) {
    if (!query.wanted.some((term) => touches(term, word))) continue;
    found.push({ text: line.slice(last, start) }, { text: line.slice(start, end), isMarked: true });
    last = end;
  }
  return [...found, { text: line.slice(last) }];
}
