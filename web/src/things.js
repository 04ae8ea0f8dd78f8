// Aspects and flows: each with its texts, and the nodes that it reaches and why.

import { Crumbs } from "./overview.js";
import { Empty, Filtered, Issue, Mark, NodeLink, Presence, Texts, ThingLink, html, plural, reasonsOf, short } from "./parts.js";
import { named } from "./routes.js";
import { Unknown } from "./unknown.js";

const TITLES = { aspect: "Aspects", flow: "Flows" };

// The nodes that an aspect or a flow applies to, with the reasons.
function reached(model) {
  if (!model.reached) {
    model.reached = new Map([["aspect", new Map()], ["flow", new Map()]]);
    for (const found of model.data.packages) {
      for (const place of found.blocks) {
        const block = model.data.blocks[place];
        const kind = model.reached.get(block.kind);
        if (kind) kind.set(block.subject, [...(kind.get(block.subject) ?? []), { path: found.node, reasons: block.reasons }]);
      }
    }
  }
  return model.reached;
}

export const Aspects = (props) => html`<${Things} kind="aspect" ...${props} />`;
export const Flows = (props) => html`<${Things} kind="flow" ...${props} />`;

function Things({ model, route, kind }) {
  const things = model.nodes.filter((node) => node.kind === kind);
  if (!model.data.offers.aspects) return html`<h1 tabindex="-1">${TITLES[kind]}</h1><${Empty}>This kind of graph has no ${TITLES[kind].toLowerCase()}.<//>`;
  return html`<h1 tabindex="-1">${TITLES[kind]}</h1>
    ${things.length === 0 ? html`<${Empty}>There are no ${TITLES[kind].toLowerCase()}.<//>` : html`<${Filtered} label="Filter" noun=${kind} items=${things} route=${things.length > 1 ? route : undefined} words=${(thing) => `${thing.path} ${thing.name} ${thing.description ?? ""}`}>
      ${(found) => html`<ul class="rows">${found.map((thing) => html`<li>
        <p><${ThingLink} kind=${kind} path=${thing.path}>${short(thing.name)}<//> <span class="quiet">${short(thing.path)}</span> <${Presence} node=${thing} /> ${" "}
        <span>${plural((reached(model).get(kind).get(thing.path) ?? []).length, "node")}</span></p>
        ${thing.description && html`<p class="quiet">${short(thing.description, 300)}</p>`}
      </li>`)}</ul>`}
    <//>`}`;
}

export const AspectPage = (props) => html`<${ThingPage} kind="aspect" ...${props} />`;
export const FlowPage = (props) => html`<${ThingPage} kind="flow" ...${props} />`;

function ThingPage({ model, route, kind }) {
  const number = named(model, kind, route.name);
  if (number === undefined) return html`<${Unknown} kind=${kind} name=${route.name} />`;
  const thing = model.nodes[number];
  const nodes = reached(model).get(kind).get(thing.path) ?? [];
  const texts = model.texts(kind, thing.path);
  const issues = model.issuesOf(kind, thing.path);
  return html`
    <nav class="crumbs" aria-label="Breadcrumbs"><ol><li><a href="#/${kind}s">${TITLES[kind]}</a></li><li aria-current="page">${short(thing.path, 60)}</li></ol></nav>
    <h1 tabindex="-1">${short(thing.name)}</h1>
    <p class="facts"><span class="type">${kind}</span> <code>${short(thing.path)}</code> <${Presence} node=${thing} />
      ${thing.stability && html`<span>stability: ${thing.stability}</span>`}</p>
    ${thing.description && html`<p>${short(thing.description, 2000)}</p>`}
    ${issues.length > 0 && html`<ul class="issues">${issues.map((issue) => html`<${Issue} model=${model} issue=${issue} />`)}</ul>`}
    <div class="columns"><div class="main">
      <h2>Texts</h2>
      ${texts.length ? html`<${Texts} texts=${texts} base=${4} />` : html`<${Empty}>It has no texts.<//>`}
    </div>
    <aside class="side" aria-label="About this ${kind}">
      <${Ties} model=${model} number=${number} kind=${kind} />
      <section><h2>${plural(nodes.length, "node")}</h2>
      ${nodes.length > 0 && html`<${Filtered} label="Filter nodes" noun="node" items=${nodes} words=${(node) => `${node.path} ${node.reasons.join(" ")}`}>
        ${(found) => html`<ul class="plain">${found.map((node) => html`<li><${NodeLink} path=${node.path} /><div class="quiet">${short(reasonsOf(node), 200)}</div></li>`)}</ul>`}
      <//>`}</section>
    </aside></div>`;
}

// What an aspect implies and is implied by; which aspects a flow brings.
function Ties({ model, number, kind }) {
  const { edges } = model.graph;
  const ends = (wanted, end, type) => edges.filter((edge) => edge.kind === type && edge[wanted] === number).map((edge) => model.nodes[edge[end]]);
  const parts = kind === "aspect"
    ? [["Implies", ends("source", "target", "implies")], ["Implied by", ends("target", "source", "implies")],
       ["In flows", ends("target", "source", "has-aspect").filter((node) => node.kind === "flow")]]
    : [["Aspects", ends("source", "target", "has-aspect")]];
  return parts.filter(([, things]) => things.length).map(([title, things]) => html`<section><h2>${title}</h2>
    <ul class="plain">${things.map((thing) => html`<li><${ThingLink} kind=${thing.kind} path=${thing.path} /> <${Presence} node=${thing} /></li>`)}</ul></section>`);
}
