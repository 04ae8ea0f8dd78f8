// Cut texts from a package until it fits: the same cuts as `yg build-context NODE --fit N` makes.

import { estimated } from "./data.js";
import { points, sizeOf } from "./text.js";

const WORDS = { "own-artifacts": "own", "materialization-target": "target" };

export const canFit = (data) => data.package !== "sections" && !data.budget.tokenizer;

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
const quoted = (word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);
const NAMES = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const hex = (number, digits) => number.toString(16).padStart(digits, "0");

// Control characters and line breaks as escapes.
const visible = (text) =>
  text.replace(/[\p{C}\u2028\u2029]/gu, (letter) => {
    const code = letter.codePointAt(0);
    if (NAMES[letter]) return NAMES[letter];
    return code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  });

// The texts that may be cut, in the order in which they are cut.
function piecesOf(data, node, found) {
  const pieces = [];
  let position = 0;
  found.blocks.forEach((block, at) => {
    const only = quoted(`${WORDS[block.kind] ?? block.kind}:${block.subject}`);
    const command = `yg build-context ${quoted(node.path)} --only ${only}`;
    block.texts.forEach((place, index) => {
      position += 1;
      const text = data.texts[place];
      const tokens = estimated(text.characters - points(text.heading));
      const line = `${block.kind} ${visible(block.subject)}: ${visible(text.name)} (${tokens}) -> ${visible(command)}`;
      const piece = { at, index, position, tokens, line, step: block.steps?.[index] ?? 0 };
      if (piece.step && isLonger(data, block, text, points(line))) pieces.push(piece);
    });
  });
  return pieces.sort((a, b) => a.step - b.step || b.position - a.position);
}

// Whether a text is longer than its line in the list of cuts.
function isLonger(data, block, text, line) {
  if (data.package === "text") return text.characters > line + 1;
  const shown = text.fault ? points(text.heading) - 1 : points(text.body);
  const heading = { "own-artifacts": 0, dependency: 1 }[block.kind];
  const length = heading === undefined ? shown : points(text.heading) + heading + points(text.body);
  const cost = length || block.kind !== "hierarchy" ? length + 2 : 0;
  return cost > line + 3;
}

function without(data, found, cuts) {
  if (!cuts.length) return found;
  const ordered = [...cuts].sort((a, b) => a.position - b.position);
  const blocks = found.blocks.map((block, at) => {
    const gone = new Set(ordered.filter((cut) => cut.at === at).map((cut) => cut.index));
    return gone.size ? { ...block, texts: block.texts.filter((_, index) => !gone.has(index)) } : block;
  });
  const tokens = ordered.reduce((sum, cut) => sum + cut.tokens, 0);
  const listing = {
    kind: "left-out", subject: "", heading: "", attributes: [["tokens", String(tokens)]],
    opening: ordered.map((cut) => cut.line), texts: [], closing: [], reasons: ["--fit"],
  };
  return { ...found, blocks: [...blocks, listing] };
}

// The least size that a package can have.
export function floorOf(data, node, found) {
  const least = without(data, found, piecesOf(data, node, found));
  return Math.min(found.tokens, estimated(sizeOf(data, least)));
}

export function fitted(data, node, found, budget) {
  if (found.tokens <= budget) return found;
  const order = piecesOf(data, node, found);
  let cuts = order;
  for (const piece of [...order].reverse()) {
    const fewer = cuts.filter((cut) => cut !== piece);
    if (sizeOf(data, without(data, found, fewer)) <= 4 * budget) cuts = fewer;
  }
  const rest = without(data, found, cuts);
  const tokens = estimated(sizeOf(data, rest));
  const blocks = rest.blocks.map((block) => ({ ...block, characters: sizeOf({ ...data, package: "text" }, { blocks: [block] }) }));
  return { ...rest, blocks, tokens, status: node.blackbox ? "ok" : statusOf(data.budget, tokens) };
}

const statusOf = (budget, tokens) => (tokens > budget.error ? "error" : tokens > budget.warning ? "warning" : "ok");
