// Small pieces that several views use.

import { h } from "preact";
import htm from "htm";
import { useState } from "preact/hooks";
import { isDrifted } from "./data.js";
import { LONGEST, rendered } from "./markdown.js";
import { address } from "./routes.js";
import { fold } from "./words.js";

export const html = htm.bind(h);

const LONG = 120; // characters of a name

export const short = (text, most = LONG) => (text.length > most ? `${text.slice(0, most)}…` : text);
export const plural = (number, noun, nouns = `${noun}s`) =>
  `${number.toLocaleString("en")} ${number === 1 ? noun : nouns}`;

export const NodeLink = ({ path, children, ...rest }) =>
  html`<a href=${address("node", path)} ...${rest}>${children ?? (path === "." ? ". (root)" : short(path))}</a>`;

const KINDS = { node: "node", aspect: "aspect", flow: "flow" };
export const ThingLink = ({ kind, path, children }) =>
  html`<a href=${address(KINDS[kind], path)}>${children ?? short(path)}</a>`;

// A state in words; the colour only repeats it.
export const State = ({ kind, sign, children }) =>
  html`<span class="state ${kind}"><span class="sign" aria-hidden="true">${sign}</span> ${children}</span>`;

const SIGNS = { error: "✕", warning: "!", ok: "✓", note: "•" };
export const Mark = ({ kind, children }) => html`<${State} kind=${kind} sign=${SIGNS[kind]}>${children}<//>`;

export const Severity = ({ issue }) => html`<${Mark} kind=${issue.severity}>${issue.code} ${issue.rule}<//>`;

export function DriftState({ drift }) {
  const kind = !isDrifted(drift) ? "ok" : drift.state === "missing" ? "error" : "warning";
  return html`<${Mark} kind=${kind}>${drift.state}<//>`;
}

// The reasons for a part of a package; `own` is the word of the program for the node itself.
export const reasonsOf = ({ reasons }) => reasons.map((reason) => (reason === "own" ? "the node itself" : reason)).join(", ");

// What keeps a node from being read: it does not exist, is broken, or is in another repository.
export function Presence({ node }) {
  const isThere = node.presence === "present";
  if (node.repository) return html`<span class="type">of ${short(node.repository, 60)}${!isThere && html`, <${Mark} kind="error">not in the import<//>`}</span>`;
  return isThere ? null : html`<${Mark} kind="error">${node.presence === "missing" ? "does not exist" : "could not be read"}<//>`;
}

export const Type = ({ node }) =>
  html`<span class="type">${short(node.type ?? node.kind, 40)}${node.blackbox ? ", blackbox" : ""}</span>`;

export function Issue({ model, issue }) {
  const line = issue.line ? `:${issue.line}` : "";
  return html`<li class="issue">
    <p><${Severity} issue=${issue} /></p>
    <div>
      <p><${IssueSubject} model=${model} issue=${issue} /></p>
      <p>${short(issue.message, 600)}</p>
      <p class="place"><code>${short(issue.file, 300)}${line}</code></p>
      ${(issue.follows ? [] : issue.advice.length ? issue.advice : [issue.fix]).map(
        (line) => html`<p class="advice">${short(line, 600)}</p>`,
      )}
    </div>
  </li>`;
}

// What an issue is about, as a link if it is a node, an aspect or a flow.
export function IssueSubject({ model, issue }) {
  const thing = model.thingOf(issue);
  return thing ? html`<${ThingLink} kind=${thing.kind} path=${thing.path}>${short(issue.subject)}<//>` : short(issue.subject);
}

// One text: Markdown as a page, anything else as it is.
export function Text({ text, base }) {
  if (text.fault) return html`<p class="fault"><${Mark} kind="error">${text.fault === "binary" ? "binary file" : text.fault}<//></p>`;
  if (!text.body) return html`<p class="quiet">empty</p>`;
  const isMarkdown = text.name.endsWith(".md") && text.body.length <= LONGEST;
  if (!isMarkdown) return html`<pre class="verbatim">${text.body}</pre>`;
  return html`<div class="prose" dangerouslySetInnerHTML=${{ __html: rendered(text.body, base) }}></div>`;
}

const isDeclaration = (text) => /\.(ya?ml|json)$/.test(text.name);

// The texts of a node, an aspect or a flow; what declares it comes last.
export const Texts = ({ texts, base }) =>
  [...texts].sort((a, b) => isDeclaration(a) - isDeclaration(b)).map(
    (text) => html`<section class="document" key=${text.path}>
      <h3 class="file">${short(text.name)}</h3>
      <${Text} text=${text} base=${base} />
    </section>`,
  );

// A bar whose length is a share, with the number beside it.
export const Bar = ({ share, kind = "" }) =>
  html`<svg class="bar ${kind}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="6" /><rect class="share" width=${Math.min(100, 100 * share)} height="6" />
  </svg>`;

const STEP = 200; // entries of a long list that are shown at once
const FEW = 24; // entries of a list beside others that needs no filter

// A list that can be filtered by words and by one choice; long lists are shown in steps.
export function Filtered({ items, words, choice, choices, label, noun, children, route }) {
  const [shown, setShown] = useState(STEP);
  const [typed, setTyped] = useState(route?.query.get("q") ?? "");
  const [chosen, setChosen] = useState(route?.query.get("only") ?? "");
  const wanted = fold(typed).split(/\s+/).filter(Boolean);
  const found = items.filter((item) => {
    if (chosen && choice(item) !== chosen) return false;
    const text = fold(words(item));
    return wanted.every((word) => text.includes(word));
  });
  const all = choices ?? [...new Set(items.map(choice ?? (() => "")))].filter(Boolean).sort();
  return html`<div>
    ${(items.length > FEW || route) && html`<form class="filter" role="search" aria-label=${label} onSubmit=${(event) => event.preventDefault()}>
      <label>Filter <input type="search" value=${typed} onInput=${(event) => setTyped(event.target.value)} /></label>
      ${all.length > 1 &&
      html`<label>Show <select value=${chosen} onChange=${(event) => setChosen(event.target.value)}>
        <option value="">all</option>
        ${all.map((name) => html`<option value=${name} selected=${name === chosen}>${name}</option>`)}
      </select></label>`}
      <span class="quiet" role="status">${found.length === items.length ? "" : `${found.length} of `}${plural(items.length, noun)}</span>
    </form>`}
    ${children(found.slice(0, shown))}
    ${found.length > shown &&
    html`<button type="button" onClick=${() => setShown(shown + STEP)}>Show ${Math.min(STEP, found.length - shown)} more</button>`}
  </div>`;
}

export const Empty = ({ children }) => html`<p class="empty">${children}</p>`;
