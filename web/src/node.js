// The page of a node: its neighbours, its texts and everything that is known about it.

import { isDrifted } from "./data.js";
import { impactOf } from "./impact.js";
import { Crumbs } from "./overview.js";
import { DriftState, Issue, Mark, NodeLink, Presence, Texts, ThingLink, Type, html, plural, reasonsOf, short } from "./parts.js";
import { address, named } from "./routes.js";
import { Unknown } from "./unknown.js";

const MANY = 12; // entries of a list that are shown at once
const MOST_FILES = 500;

export function NodePage({ model, route }) {
  const number = named(model, "node", route.name);
  if (number === undefined) return html`<${Unknown} kind="node" name=${route.name} />`;
  const node = model.nodes[number];
  const found = model.packages.get(node.path);
  const children = model.graph.children(number);
  const texts = model.texts("node", node.path).slice(node.repository ? 1 : 0); // the first is its line in the import
  return html`
    <${Crumbs} model=${model} number=${number} />
    <h1 tabindex="-1">${short(node.name)}</h1>
    <p class="facts">
      <${Type} node=${node} /> <code>${short(node.path)}</code> <${Presence} node=${node} />
      ${found && html`<a href=${address("package", node.path)}>Package</a>
        <span>${found.tokens === null ? "" : plural(found.tokens, model.data.budget.tokenizer ? `${model.data.budget.tokenizer} token` : "token")}${" "}
        ${found.status !== "ok" ? html`<${Mark} kind=${found.status}>over budget<//>` : ""}</span>`}
      ${children.length > 0 && html`<a href=${address("overview", node.path)}>Level: ${plural(children.length, "node")} inside</a>`}
    </p>
    ${node.description && html`<p class="description">${short(node.description, 2000)}</p>`}
    <${Neighbours} model=${model} number=${number} />
    <div class="columns">
      <div class="main">
        <h2>Texts</h2>
        ${model.isStale(node.path) && html`<p><${Mark} kind="warning">Stale: the code changed after these texts were confirmed.<//> <a href=${address("package", node.path)}>What to check</a></p>`}
        ${texts.length
          ? html`<${Texts} texts=${texts} base=${4} />`
          : html`<p class="empty">${node.presence === "present" ? "This node has no texts." : "There is no text that could be read."}</p>`}
      </div>
      <aside class="side" aria-label="About this node">
        <${Issues} model=${model} node=${node} />
        <${Drift} drift=${model.drift.get(node.path)} />
        <${Applied} model=${model} node=${node} kind="aspect" title="Aspects" />
        <${Applied} model=${model} node=${node} kind="flow" title="Flows" />
        <${Files} model=${model} node=${node} />
        <${Impact} model=${model} number=${number} />
        <${List} title="Nodes inside" items=${children.map((each) => html`<${NodeLink} path=${model.nodes[each].path}>${short(model.nodes[each].name)}<//>`)} />
      </aside>
    </div>`;
}

// Three columns: who uses the node, the node, what it uses.
function Neighbours({ model, number }) {
  const { graph } = model;
  const beside = (edges, end) => [...(edges.get(number) ?? []), ...graph.imports.filter((edge) => edge[end] === number)];
  const incoming = beside(graph.incoming, "target").filter((edge) => edge.source !== number);
  const outgoing = beside(graph.outgoing, "source").filter((edge) => edge.target !== number);
  const node = model.nodes[number];
  return html`<section class="neighbours" aria-label="Neighbourhood">
    <div><h2>Used by</h2><${Edges} model=${model} edges=${incoming} end="source" none="Nothing uses it." /></div>
    <div class="middle"><p class="self"><strong>${short(node.name, 60)}</strong><br /><span class="quiet">${short(node.type ?? "", 40)}</span></p></div>
    <div><h2>Uses</h2><${Edges} model=${model} edges=${outgoing} end="target" none=${node.repository ? "Its own repository knows." : node.presence === "present" ? "It uses nothing." : "It could not be read."} /></div>
  </section>`;
}

// What the imports of the code say about a relation.
const BACKING = { imported: "✓ imported", "not-imported": "no import", undeclared: "not declared" };

function Edges({ model, edges, end, none }) {
  if (!edges.length) return html`<p class="quiet">${none}</p>`;
  const { graph } = model;
  const shown = edges.map((edge) => {
    const other = model.nodes[edge[end]];
    return html`<li>
      <span class="kind ${edge.weak ? "weak" : ""}">${edge.type}</span> <${NodeLink} path=${other.path} /> ${graph.guidance && other.name !== other.path && html`<span class="quiet">${short(other.name, 80)}</span>`} <${Presence} node=${other} />
      ${edge.code && html`<span class="backing">${BACKING[edge.code]}</span>`}
      ${edge.consumes && html`<div class="detail"><span class="label">consumes</span> ${edge.consumes.map((name, at) => html`${at ? ", " : ""}<code>${short(name)}</code>`)}</div>`}
      ${edge.event && html`<div class="detail"><span class="label">event</span> ${short(edge.event)}</div>`}
      ${edge.failure && html`<div class="detail"><span class="label">on failure</span> ${short(edge.failure, 400)}</div>`}
    </li>`;
  });
  return html`<ul class="edges"><${Folded} items=${shown} /></ul>`;
}

// The first entries of a list; the rest is one step away.
export function Folded({ items }) {
  if (items.length <= MANY + 2) return items;
  return html`${items.slice(0, MANY)}<li class="more"><details><summary>${items.length - MANY} more</summary><ul class="plain">${items.slice(MANY)}</ul></details></li>`;
}

function Issues({ model, node }) {
  const issues = model.issuesOf("node", node.path);
  return issues.length > 0 && html`<section><h2>Issues</h2>
    <ul class="issues">${issues.map((issue) => html`<${Issue} model=${model} issue=${issue} />`)}</ul></section>`;
}

function Drift({ drift }) {
  if (!drift) return null;
  const changes = [...drift.source, ...drift.graph];
  return html`<section><h2>Drift</h2>
    <p><${DriftState} drift=${drift} /> ${drift.reason ?? ""}${!drift.baseline && isDrifted(drift) ? " no baseline recorded" : ""}</p>
    ${changes.length > 0 && html`<ul class="plain"><${Folded} items=${changes.map((change) => html`<${Change} change=${change} />`)} /></ul>`}
  </section>`;
}

export const Change = ({ change }) => html`<li><code>${short(change.path, 200)}</code> <span class="quiet">${change.how}${change.class ? `, ${change.class}` : ""}${change.to ? ` to ${change.to}` : ""}</span></li>`;

// The aspects or flows that apply, and the declarations that make them apply.
function Applied({ model, node, kind, title }) {
  const items = model.blocks(node.path, kind).map((block) => {
    const thing = model.nodes[model.graph.number(kind, block.subject)];
    return html`<${ThingLink} kind=${kind} path=${block.subject}>${short(thing?.name ?? block.subject)}<//>
      <div class="quiet">${short(reasonsOf(block), 200)}</div>`;
  });
  return html`<${List} title=${title} items=${items} />`;
}

function Files({ model, node }) {
  const mapping = node.mapping ?? [];
  const declared = new Set(mapping);
  const files = (model.files.get(node.path) ?? []).map((file) => file.path);
  if (!mapping.length && !files.length) return null;
  const listed = (paths) => html`<ul class="plain"><${Folded} items=${paths.map((path) => html`<li><code>${short(path, 200)}</code></li>`)} /></ul>`;
  return html`<section><h2>Files</h2>${listed(mapping)}
    ${node.owners && html`<p>Ask: ${short(node.owners.join(", "), 200)}</p>`}
    ${files.some((path) => !declared.has(path)) && html`<details><summary>${plural(files.length, "file")}</summary>${listed(files.slice(0, MOST_FILES))}
      ${files.length > MOST_FILES && html`<p class="quiet">and ${files.length - MOST_FILES} more</p>`}</details>`}
  </section>`;
}

function Impact({ model, number }) {
  const impact = impactOf(model, number);
  const paths = (numbers) => numbers.map((each) => model.nodes[each].path).sort();
  const part = (label, numbers) => numbers.length > 0 && html`<p class="label">${label}</p>
    <ul class="plain"><${Folded} items=${paths(numbers).map((path) => html`<li><${NodeLink} path=${path} /></li>`)} /></ul>`;
  return html`<section class="impact"><h2>Impact</h2>
    <p>${impact.all.length ? html`A change can affect <strong>${plural(impact.all.length, "node")}</strong>.` : "A change affects no other node."}</p>
    ${part("Directly", impact.direct)}
    ${part("Through others", impact.transitive)}
    ${part(model.data.offers.aspects ? "By events" : "Naming it", impact.named)}
    ${part("By guides, groups and layers", impact.guided)}
    ${part("Inside", impact.below)}
  </section>`;
}

const List = ({ title, items }) =>
  items.length > 0 && html`<section><h2>${title}</h2><ul class="plain"><${Folded} items=${items.map((item) => html`<li>${item}</li>`)} /></ul></section>`;
