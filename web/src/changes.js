// The change view: what differs from a commit.

import { useState } from "preact/hooks";
import { Model } from "./data.js";
import { folded, sides } from "./diff.js";
import { levelOf } from "./level.js";
import { Empty, Issue, Mark, NodeLink, State, ThingLink, html, plural, short } from "./parts.js";
import { Picture } from "./picture.js";
import { address, named } from "./routes.js";
import { content } from "./text.js";
import { Unknown } from "./unknown.js";

const SIGNS = { added: "+", removed: "−", changed: "~" };
const KINDS = { added: "ok", removed: "error", changed: "warning" };

export function Changes({ model, route }) {
  const { changes } = model.data;
  if (!changes) return html`<h1 tabindex="-1">Changes</h1><${Empty}>This page was made without a comparison. Use <code>--diff REV</code>.<//>`;
  return html`<h1 tabindex="-1">Changes since ${short(changes.since, 60)}</h1>
    <p class="facts"><code title=${changes.commit}>${changes.commit.slice(0, 12)}</code>
      <${Counts} label="node" items=${changes.things.filter((thing) => thing.kind === "node")} />
      <${Counts} label="relation" items=${changes.edges} />
      <span>${plural(changes.packages.length, "package")} changed</span>
      ${changes.appeared.length > 0 && html`<${Mark} kind="error">${plural(changes.appeared.length, "new issue")}<//>`}
      ${changes.gone.length > 0 && html`<${Mark} kind="ok">${plural(changes.gone.length, "issue")} gone<//>`}</p>
    ${changes.notes.map((note) => html`<p><${Mark} kind="warning">${note}<//></p>`)}
    <${Level} model=${model} route=${route} />
    <${Things} model=${model} changes=${changes} />
    <${Edges} model=${model} changes=${changes} />
    <${Packages} model=${model} changes=${changes} />
    <${IssueList} model=${model} title="New issues" issues=${changes.appeared} />
    <${IssueList} model=${model} title="Issues that are gone" issues=${changes.gone} />`;
}

function Counts({ label, items }) {
  const parts = Object.keys(SIGNS).map((change) => [change, items.filter((item) => item.change === change).length]);
  return parts.filter(([, number]) => number).map(([change, number]) =>
    html`<${State} kind=${KINDS[change]} sign=${SIGNS[change]}>${plural(number, label)} ${change}<//>`);
}

// The graph of both states: what was removed is still in it.
export function union(model) {
  if (model.union) return model.union;
  const { graph, changes } = model.data;
  const nodes = [...graph.nodes];
  const places = new Map(nodes.map((node, place) => [`${node.kind} ${node.path}`, place]));
  const moved = new Map(changes.things.filter((thing) => thing.was).map((thing) => [`${thing.kind} ${thing.was}`, `${thing.kind} ${thing.path}`]));
  const old = changes.graph.nodes.map((node) => {
    const name = `${node.kind} ${node.path}`;
    const key = moved.get(name) ?? name;
    if (!places.has(key)) {
      places.set(key, nodes.length);
      nodes.push(node);
    }
    return places.get(key);
  });
  const known = new Set(graph.edges.map((edge) => edgeKey(edge.source, edge.target, edge)));
  const lost = changes.graph.edges
    .map((edge) => ({ ...edge, source: old[edge.source], target: old[edge.target] }))
    .filter((edge) => !known.has(edgeKey(edge.source, edge.target, edge)))
    .filter((edge) => edge.kind !== "contains" || edge.target >= graph.nodes.length);
  const whole = new Model({ ...model.data, graph: { ...graph, nodes, edges: [...graph.edges, ...lost] } });
  mark(whole, changes);
  model.union = whole;
  return whole;
}

const edgeKey = (source, target, edge) => `${source} ${target} ${edge.kind} ${edge.type ?? edge.kind}`;

// Say of each node and link what happened to it; a node with changes inside is changed.
function mark(model, changes) {
  const found = new Map();
  for (const thing of changes.things.filter((each) => each.kind === "node")) {
    const number = model.graph.number("node", thing.path);
    found.set(number, thing.change);
    for (const above of model.graph.ancestors(number)) if (!found.has(above)) found.set(above, "changed");
  }
  const edges = new Map(changes.edges.map((edge) => [`${edge.source}\n${edge.target}\n${edge.type}`, edge.change]));
  for (const edge of model.graph.relations) {
    const [source, target] = [model.nodes[edge.source].path, model.nodes[edge.target].path];
    edge.change = edges.get(`${source}\n${target}\n${edge.type}`);
    if (edge.change && !found.has(edge.source)) found.set(edge.source, "changed");
  }
  model.changeOf = (number) => found.get(number) ?? "";
}

// One level of both states.
function Level({ model, route }) {
  const whole = union(model);
  const parent = route.name ? named(whole, "node", route.name) : null;
  if (parent === undefined) return html`<${Unknown} kind="node" name=${route.name} />`;
  const way = parent === null ? [] : [...whole.graph.ancestors(parent), parent];
  const above = way.filter((each) => each !== whole.graph.root);
  const isThere = parent !== null && model.graph.number("node", whole.nodes[parent].path) !== undefined;
  return html`${above.length > 0 && html`<nav class="crumbs" aria-label="Level"><ol>
      <li><a href="#/changes">${short(model.data.repository.name, 40)}</a></li>
      ${above.map((each) => html`<li><a href=${address("changes", whole.nodes[each].path)}>${short(whole.nodes[each].path.split("/").pop(), 40)}</a></li>`)}
      ${isThere && html`<li><${NodeLink} path=${whole.nodes[parent].path}>Node page<//></li>`}
    </ol></nav>`}
    <${Picture} model=${whole} level=${levelOf(whole, parent)} route=${route} view="changes" />
    <p class="legend">+ added, − removed, ~ changed or with changes inside</p>`;
}

function Things({ model, changes }) {
  if (!changes.things.length) return html`<h2>Nodes, aspects and flows</h2><${Empty}>None of them differs.<//>`;
  return html`<h2>Nodes, aspects and flows</h2><ul class="change-list">${changes.things.map((thing) => {
    const exists = model.graph.number(thing.kind, thing.path) !== undefined;
    return html`<li class=${thing.change}><${State} kind=${KINDS[thing.change]} sign=${SIGNS[thing.change]}>${thing.change}<//>
      <div><span class="type">${thing.kind}</span> ${" "}
      ${exists ? html`<${ThingLink} kind=${thing.kind} path=${thing.path} />` : short(thing.path)}
      ${thing.was && html` <span class="quiet">was ${short(thing.was)}</span>`}
      ${thing.fields.length > 0 && html` <span class="quiet">${short(thing.fields.join(", "), 300)}</span>`}</div></li>`;
  })}</ul>`;
}

function Edges({ changes }) {
  if (!changes.edges.length) return null;
  return html`<h2>Relations</h2><ul class="change-list">${changes.edges.map((edge) => html`<li class=${edge.change}>
    <${State} kind=${KINDS[edge.change]} sign=${SIGNS[edge.change]}>${edge.change}<//>
    <div><${NodeLink} path=${edge.source} /> <span class="kind">${edge.type}</span> <${NodeLink} path=${edge.target} /></div></li>`)}</ul>`;
}

function Packages({ model, changes }) {
  if (!changes.packages.length) return null;
  return html`<h2>Packages</h2><ul class="rows">${changes.packages.map((each) => html`<${PackageChange} key=${each.node} model=${model} change=${each} />`)}</ul>`;
}

function PackageChange({ model, change }) {
  const [isOpen, setOpen] = useState(false);
  const state = change.before === null ? "added" : change.after === null ? "removed" : "changed";
  return html`<li><details onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${SIGNS[state]} ${short(change.node)} <span class="quiet">${state}</span></summary>
    ${isOpen && html`<${Sides} model=${model} change=${change} />`}</details></li>`;
}

// The blocks that differ, side by side.
function Sides({ model, change }) {
  const { data } = model;
  const [before, after] = [blocks(data, change.before), blocks(data, change.after)];
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const shown = names.filter((name) => before.get(name) !== after.get(name));
  return shown.map((name) => html`<h3 class="file">${short(name)}</h3>
    <${Comparison} name=${name} before=${before.get(name)} after=${after.get(name)} />`);
}

// Two texts side by side; one that was added or removed stands alone.
function Comparison({ name, before, after }) {
  const columns = [["before", "gone", "−", before], ["after", "new", "+", after]].filter(([, , , text]) => text !== undefined);
  const rows = folded(sides(before ?? "", after ?? ""));
  return html`<table class="sides"><caption class="hidden">${short(name)}: before and now</caption>
    <thead class="hidden"><tr>${columns.map(([end]) => html`<th scope="col">${end === "before" ? "Before" : "Now"}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.skipped
      ? html`<td class="skipped" colspan=${columns.length}>${plural(row.skipped, "line")} the same</td>`
      : columns.map(([end, kind, sign]) => {
          if (!row.differs) return html`<td class="same">${row[end]}</td>`;
          return row[end] === null ? html`<td class="none"></td>` : html`<td class=${kind}>${sign} ${row[end]}</td>`;
        })}</tr>`)}</tbody></table>`;
}

const blocks = (data, places) => {
  const found = new Map();
  for (const place of places ?? []) {
    const block = data.blocks[place];
    const name = `${block.kind} ${block.subject}`;
    const attributes = block.attributes.map(([key, value]) => `${key}: ${value}\n`).join("");
    found.set(name, (found.get(name) ?? "") + attributes + content(data, block));
  }
  return found;
};

const IssueList = ({ model, title, issues }) =>
  issues.length > 0 && html`<h2>${title}</h2><ul class="issues">${issues.map((issue) => html`<${Issue} model=${model} issue=${issue} />`)}</ul>`;
