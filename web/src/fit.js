// Cut texts from a package until it fits: the same cuts as `yg build-context NODE --fit N` makes.
// Of a Spec Graph, entries of sections are cut instead of texts.

import { estimated } from "./data.js";
import { points, sizeOf, visible } from "./text.js";

const WORDS = { "own-artifacts": "own", "materialization-target": "target" };

// With a tokenizer, only the program can count.
export const canFit = (data) => !data.budget.tokenizer;

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;
const quoted = (word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

// The command that prints what was cut.
const commandOf = (data, node, only) =>
  visible(["yg build-context", ...[node.path, "--only", only, ...data.options].map(quoted)].join(" "));

// The pieces that may be cut, in the order in which they are cut.
function piecesOf(data, node, found) {
  const pieces = data.package === "sections" ? entries(data, node, found) : texts(data, node, found);
  return pieces.sort((a, b) => a.step - b.step || a.turn - b.turn || b.position - a.position);
}

function texts(data, node, found) {
  const pieces = [];
  let position = 0;
  const code = codeOf(found.blocks);
  found.blocks.forEach((block, at) => {
    const places = code.get(block.turn) ?? [];
    if (block.kind === "code" && places[0] === at) {
      position += 1;
      const piece = { at: places, position, step: block.steps[0], turn: block.turn, ...codeCut(data, node, places.map((place) => found.blocks[place])) };
      if (piece.characters > points(piece.line) + 1) pieces.push(piece);
    }
    const command = commandOf(data, node, `${WORDS[block.kind] ?? block.kind}:${block.subject}`);
    block.texts.forEach((place, index) => {
      position += 1;
      const text = data.texts[place];
      const tokens = estimated(text.characters - points(text.heading));
      const line = `${block.kind} ${visible(block.subject)}: ${visible(text.name)} (${tokens}) -> ${command}`;
      const piece = { at, index, position, tokens, line, step: block.steps?.[index] ?? 0, turn: block.turn ?? 0 };
      if (piece.step && isLonger(data, block, text, points(line))) pieces.push(piece);
    });
  });
  return pieces;
}

// The places of the code blocks of all dependencies, and of those of the node itself, by their turn.
function codeOf(blocks) {
  const found = new Map();
  blocks.forEach((block, at) => {
    if (block.kind === "code") found.set(block.turn, [...(found.get(block.turn) ?? []), at]);
  });
  return found;
}

// Blocks of code that are cut as one.
function codeCut(data, node, blocks) {
  const characters = blocks.reduce((sum, block) => sum + block.characters, 0);
  const [tokens, { subject }, isOne] = [estimated(characters), blocks[0], blocks.length === 1];
  const isOwn = subject === node.path;
  const name = isOne ? `code ${visible(subject)}` : isOwn ? "code" : "code of dependencies";
  return { characters, tokens, line: `${name} (${tokens}) -> ${commandOf(data, node, isOne ? `code:${subject}` : "code")}` };
}

// Whether what is cut of a text is longer than its line in the list of cuts.
function isLonger(data, block, text, line) {
  if (block.kind === "stale") return text.characters - points(text.heading) > line + 1;
  if (data.package === "text") return text.characters > line + 1;
  const shown = text.fault ? points(text.heading) - 1 : points(text.body);
  const heading = { "own-artifacts": 0, dependency: 1 }[block.kind];
  const length = heading === undefined ? shown : points(text.heading) + heading + points(text.body);
  const cost = length || block.kind !== "hierarchy" ? length + 2 : 0;
  return cost > line + 3;
}

function entries(data, node, found) {
  return found.blocks.flatMap((block, at) => {
    const [step, { kind, subject }] = [found.steps[at], block];
    const word = kind.toLowerCase().replaceAll(" ", "-");
    const tokens = estimated(block.characters);
    const line = `- ${subject || kind} (${tokens}) -> ${commandOf(data, node, subject ? `${word}:${subject}` : word)}`;
    return step && block.characters > points(line) + 1 ? [{ at, position: at, tokens, line, step, turn: 0 }] : [];
  });
}

function without(data, found, cuts) {
  if (!cuts.length) return found;
  const ordered = [...cuts].sort((a, b) => a.position - b.position);
  const lines = ordered.map((cut) => cut.line);
  const listing = { subject: "", heading: "", attributes: [], opening: lines, texts: [], closing: [], reasons: ["--fit"] };
  if (data.package === "sections") {
    const gone = new Set(ordered.map((cut) => cut.at));
    return { ...found, blocks: [...found.blocks.filter((_, at) => !gone.has(at)), { ...listing, kind: "Left Out" }] };
  }
  const whole = new Set(ordered.filter((cut) => Array.isArray(cut.at)).flatMap((cut) => cut.at));
  const blocks = found.blocks.flatMap((block, at) => {
    if (whole.has(at)) return [];
    const gone = new Set(ordered.filter((cut) => cut.at === at).map((cut) => cut.index));
    if (block.kind === "stale") return { ...block, cut: gone };
    return gone.size ? { ...block, texts: block.texts.filter((_, index) => !gone.has(index)) } : block;
  });
  const tokens = ordered.reduce((sum, cut) => sum + cut.tokens, 0);
  return { ...found, blocks: [...blocks, { ...listing, kind: "left-out", attributes: [["tokens", String(tokens)]] }] };
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
  const blocks = rest.blocks.map((block) => ({ ...block, characters: charactersOf(data, block) }));
  return { ...rest, blocks, tokens, status: node.blackbox ? "ok" : statusOf(data.budget, tokens) };
}

const charactersOf = (data, block) =>
  data.package === "sections"
    ? block.opening.reduce((sum, line) => sum + points(line) + 1, 0)
    : sizeOf({ ...data, package: "text" }, { blocks: [block] });

const statusOf = (budget, tokens) => (tokens > budget.error ? "error" : tokens > budget.warning ? "warning" : "ok");
