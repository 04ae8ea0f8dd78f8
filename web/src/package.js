// The context package of a node, block by block.

import { useMemo, useState } from "preact/hooks";
import { estimated, tokensOf } from "./data.js";
import { canFit, fitted, floorOf } from "./fit.js";
import { Crumbs } from "./overview.js";
import { Bar, Mark, NodeLink, Text, ThingLink, html, plural, reasonsOf, short } from "./parts.js";
import { address, named } from "./routes.js";
import { packageText, staleNodes, textsOf, whole } from "./text.js";
import { Unknown } from "./unknown.js";

const UNLIMITED = 1_000_000_000; // tokens; graphs of 0.x have no size that is an error

export function PackagePage({ model, route }) {
  const number = named(model, "node", route.name);
  const node = model.nodes[number];
  const found = node && model.packages.get(node.path);
  if (!found) return html`<${Unknown} kind="package of the node" name=${route.name} />`;
  return html`<${Shown} model=${model} number=${number} node=${node} found=${whole(model.data, found)} />`;
}

function Shown({ model, number, node, found }) {
  const { data } = model;
  const [chosen, setChosen] = useState(Infinity); // the full size, also when that changes
  const budget = Math.min(chosen, found.tokens);
  const isFull = budget >= found.tokens || !canFit(data);
  const shown = isFull ? found : fitted(data, node, found, budget);
  const largest = Math.max(1, ...found.blocks.map(tokensOf));
  const command = `yg build-context ${short(node.path)}${isFull ? "" : ` --fit ${budget}`}`;
  return html`
    <${Crumbs} model=${model} number=${number} page="Package" />
    <h1 tabindex="-1">Package of ${short(node.name)}</h1>
    <p class="facts"><${NodeLink} path=${node.path}>Node page<//> <code>${command}</code></p>
    <${Refusal} model=${model} />
    <${Budget} data=${data} found=${shown} />
    <${Stale} nodes=${staleNodes(found.blocks)} />
    <div class="tools">
      <${Copy} text=${() => packageText(data, node, shown)} />
      ${canFit(data) && found.tokens !== null && html`<${Fit} data=${data} node=${node} found=${found} budget=${budget} choose=${(size) => setChosen(size < found.tokens ? size : Infinity)} />`}
    </div>
    <p class="block heads" aria-hidden="true"><span>Part</span><span>From, and why</span><span class="tokens">Tokens</span></p>
    <ol class="blocks">
      ${shown.blocks.map((block) => html`<${Block} key=${`${block.kind} ${block.subject}`} model=${model} node=${node} block=${block} largest=${largest} />`)}
    </ol>`;
}

function Refusal({ model }) {
  const { issues, offers } = model.data;
  if (!offers.refuses || !issues.errors) return null;
  return html`<p><${Mark} kind="error">While the graph has errors, <code>yg build-context</code> refuses some packages.<//> <a href="#/issues">Issues</a></p>`;
}

function Stale({ nodes }) {
  return nodes.length > 0 && html`<p><${Mark} kind="warning">Stale:<//> ${nodes.map((path, at) => html`${at ? ", " : ""}<${NodeLink} path=${path} />`)}</p>`;
}

// From the least size that the package can have to its full size.
function Fit({ data, node, found, budget, choose }) {
  const floor = useMemo(() => floorOf(data, node, found), [data, node.path]);
  return html`<label class="fit">Fit into <input type="range" min=${floor} max=${found.tokens} value=${budget} disabled=${floor >= found.tokens}
    aria-valuetext=${`${budget} tokens`} onInput=${(event) => choose(Number(event.target.value))} />
    <output>${floor < found.tokens ? plural(budget, "token") : "nothing can be cut"}</output></label>`;
}

function Budget({ data, found }) {
  if (found.tokens === null) return html`<p><${Mark} kind="error">A text of this package cannot be read.<//></p>`;
  const { tokenizer, warning, error } = data.budget;
  const limits = [`warning above ${warning.toLocaleString("en")}`, ...(error < UNLIMITED ? [`error above ${error.toLocaleString("en")}`] : [])];
  return html`<div class="budget">
    <p><strong>${plural(found.tokens, tokenizer ? `${tokenizer} token` : "token")}</strong> ${" "}
      <${Mark} kind=${found.status}>${found.status === "ok" ? "within the budget" : `over the budget (${found.status})`}<//>
      <span class="quiet"> ${limits.join(", ")}</span></p>
    <${Bar} share=${found.tokens / Math.max(error < UNLIMITED ? error : warning, 1)} kind=${found.status} />
  </div>`;
}

export function Copy({ text, label = "Copy package" }) {
  const [said, setSaid] = useState("");
  const copy = async () => setSaid((await copied(text())) ? "Copied." : "The browser does not allow copying.");
  return html`<p class="copy"><button type="button" onClick=${copy}>${label}</button> <span role="status">${said}</span></p>`;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedByEvent(text);
  }
}

// For browsers that keep the clipboard from pages in files. The event keeps every byte.
function copiedByEvent(text) {
  let done = false;
  const put = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    done = true;
  };
  document.addEventListener("copy", put);
  document.execCommand("copy");
  document.removeEventListener("copy", put);
  return done;
}

const FROM_NODES = new Set(["stale", "code", "hierarchy", "own-artifacts", "materialization-target", "dependency", "event"]);

function source(model, block) {
  if (block.kind === "aspect" || block.kind === "flow") return html`<${ThingLink} kind=${block.kind} path=${block.subject} />`;
  const isNode = FROM_NODES.has(block.kind) || model.data.package === "sections";
  if (isNode && block.subject && model.node(block.subject)) return html`<${NodeLink} path=${block.subject} />`;
  return block.kind === "global" ? "the configuration" : short(block.subject);
}

function Block({ model, node, block, largest }) {
  const isStale = block.kind === "stale";
  const [isOpen, setOpen] = useState(isStale && block.subject === node.path);
  const { budget } = model.data;
  return html`<li class=${isStale ? "block stale" : "block"}>
    <div class="head">
      <button type="button" class="toggle" aria-expanded=${isOpen ? "true" : "false"} onClick=${() => setOpen(!isOpen)}>${block.kind}</button>
      <span class="what">${source(model, block)} <span class="reason">${short(reasonsOf(block), 200)}</span></span>
      <${Bar} share=${tokensOf(block) / largest} />
      <span class="tokens">${tokensOf(block).toLocaleString("en")}</span>
    </div>
    <div class="content" hidden=${!isOpen}>
      ${block.attributes.length > 0 && html`<dl class="attributes">${block.attributes.map(([name, value]) => html`<dt>${name}</dt><dd>${short(value, 400)}</dd>`)}</dl>`}
      ${block.opening.length > 0 && html`<pre class="verbatim">${block.opening.join("\n")}</pre>`}
      ${textsOf(model.data, block).map((text) => html`<section class="document"><h2 class="file">${short(text.name)} ${!budget.tokenizer && html`<span class="quiet">${plural(estimated(text.characters), "token")}</span>`}</h2>
        ${(text.body || !isStale) && html`<${Text} text=${text} base=${3} />`}</section>`)}
      ${block.closing.length > 0 && html`<pre class="verbatim">${block.closing.join("\n")}</pre>`}
    </div>
  </li>`;
}
