// The text of a package, with the same bytes as `yg build-context NODE` prints.

const NAMES = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

const escaped = (text) =>
  text
    .replace(/[&<>"]/g, (letter) => `&${NAMES[letter]};`)
    // eslint-disable-next-line no-control-regex
    .replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/g, (letter) => `&#${letter.codePointAt(0)};`);

const tag = (name, attributes) =>
  name + attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");

const quoted = (text) => text.heading + text.body + text.ending;

const BREAKS = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const hex = (number, digits) => number.toString(16).padStart(digits, "0");

// Control characters and line breaks as escapes.
export const visible = (text) =>
  text.replace(/[\p{C}\u2028\u2029]/gu, (letter) => {
    const code = letter.codePointAt(0);
    if (BREAKS[letter]) return BREAKS[letter];
    return code < 0x100 ? `\\x${hex(code, 2)}` : code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  });

// The texts of a block. Of code that was cut from a stale block, the heading stays.
export const textsOf = (data, block) =>
  block.texts.map((place, index) => {
    const text = data.texts[place];
    return block.cut?.has(index) ? { ...text, body: "", ending: "", characters: points(text.heading) } : text;
  });

export function content(data, block) {
  const gap = block.opening.length && block.texts.length && block.kind !== "stale" ? [""] : [];
  return [
    ...[...block.opening, ...gap].map((line) => `${line}\n`),
    ...textsOf(data, block).map(quoted),
    ...block.closing.map((line) => `${line}\n`),
  ].join("");
}

function tagged(data, node, found) {
  const blocks = found.blocks.map((block) => {
    const opening = tag(block.kind, block.attributes);
    if (block.kind === "materialization-target") return `<${opening}/>`;
    return `<${opening}>\n${content(data, block)}</${block.kind}>`;
  });
  const opening = tag("context-package", [
    ["node-path", node.path],
    ["node-name", node.name],
    ["token-count", String(found.tokens)],
    ...(data.budget.tokenizer ? [["tokenizer", data.budget.tokenizer]] : []),
  ]);
  const body = [`<${opening}>`, ...blocks, "</context-package>"].join("\n\n");
  const stale = staleNodes(found.blocks).map(visible).join(", ");
  return `${body}\nBudget status: ${found.status}\n${stale && `Stale: ${stale}\n`}`;
}

// The nodes whose code changed after their texts were confirmed.
export const staleNodes = (blocks) => blocks.filter((block) => block.kind === "stale").map((block) => block.subject);

const SHARED = { aspect: "Aspects", dependency: "Dependencies", event: "Dependencies", flow: "Flows" };

// The body of a package of a 0.x graph: sections with a rule between them.
function markdownBody(data, blocks) {
  const sections = [];
  let last = "";
  for (const block of blocks) {
    const shared = SHARED[block.kind] ?? "";
    const parts = markdownParts(data, block, shared);
    if (shared && shared === last) sections.push([...sections.pop(), ...parts]);
    else if (shared) sections.push([`## ${shared}`, ...parts]);
    else sections.push(parts);
    last = shared;
  }
  const written = sections.filter((parts) => parts.length).map((parts) => parts.join("\n\n"));
  return ["", ...written, ""].join("\n\n---\n\n");
}

// `stamp` is the time at which it is made.
function markdown(data, found, stamp) {
  const verdict = found.status === "ok" ? "ok" : "exceeded";
  const unit = data.budget.tokenizer ? `${data.budget.tokenizer} tokens` : "tokens";
  const size = `${found.tokens} ${unit} (threshold ${data.budget.warning}: ${verdict})`;
  return `${found.title}\n# Generated: ${stamp}${markdownBody(data, found.blocks)}Context size: ${size}\n`;
}

function markdownParts(data, block, shared) {
  const texts = block.texts.map((place) => data.texts[place]);
  const body = (text) => (text.fault ? text.heading.trimEnd() : text.body);
  const lines = [block.opening, block.closing].filter((each) => each.length).map((each) => each.join("\n"));
  const documents = (marks) =>
    texts.map((text) => `${marks}${text.heading.slice("###".length)}${text.body}`);
  switch (block.kind) {
    case "global":
      return [block.heading, block.opening.join("\n"), ...block.closing];
    case "hierarchy": {
      const bodies = [...texts.map(body).filter(Boolean), ...block.closing];
      return bodies.length ? [block.heading, ...bodies] : [];
    }
    case "own-artifacts":
      return [block.heading, ...documents("###")];
    case "materialization-target":
      return [block.heading];
    case "left-out":
      return [["## Left Out", "", ...block.opening.map((line) => `- ${line}`)].join("\n")];
    default:
      return shared === "Dependencies"
        ? [block.heading, ...lines, ...documents("####")]
        : [block.heading, ...texts.map(body), ...lines];
  }
}

// A context of a Spec Graph: the target, then sections with one entry for each node.
function sections({ title, blocks }) {
  const written = blocks.filter((block) => block.opening.length).map((block, at, all) => {
    const heading = block.kind === all[at - 1]?.kind ? "" : `\n## ${block.kind}\n`;
    return heading + block.opening.map((line) => `${line}\n`).join("");
  });
  return `${title}\n${written.join("")}`;
}

// The blocks of a stored package.
export const whole = (data, found) => ({ ...found, blocks: found.blocks.map((place) => data.blocks[place]) });

// The size of a package in characters, as yg counts them: by code points.
export function sizeOf(data, found) {
  if (data.package === "sections") return points(sections(found));
  if (data.package === "markdown") return points(found.title + markdownBody(data, found.blocks));
  const sizes = found.blocks.filter((block) => block.kind !== "materialization-target").map((block) => {
    const last = block.closing.length ? null : textsOf(data, block).at(-1);
    return Math.max(0, points(content(data, block)) - (last?.ending.length || 1));
  });
  return sizes.reduce((sum, size) => sum + size, 0) + 2 * Math.max(0, sizes.length - 1);
}

export const points = (text) => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

export function packageText(data, node, found, now = new Date()) {
  if (data.package === "text") return tagged(data, node, found);
  if (data.package === "sections") return sections(found);
  return markdown(data, found, now.toISOString().replace(/\.\d+Z$/, "Z"));
}
