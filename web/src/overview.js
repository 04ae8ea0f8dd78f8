// The overview: one level of the hierarchy, as boxes or as a matrix, and a list of its nodes.

import { grouped, isDrifted } from "./data.js";
import { kinds, levelOf } from "./level.js";
import { DriftState, Filtered, IssueSubject, Mark, NodeLink, Presence, Severity, Type, html, plural, short } from "./parts.js";
import { Picture } from "./picture.js";
import { address, named } from "./routes.js";
import { Unknown } from "./unknown.js";

const FIRST = 8; // issues on the first page
const PRESENCES = ["present", "unreadable", "missing"];

export function Overview({ model, route }) {
  const parent = route.name ? named(model, "node", route.name) : null;
  if (parent === undefined) return html`<${Unknown} kind="node" name=${route.name} />`;
  const [level, shown] = [levelOf(model, parent), levelOf(model, parent, { opens: true })];
  const node = parent === null ? null : model.nodes[parent];
  return html`
    ${node && html`<${Crumbs} model=${model} number=${parent} />`}
    <h1 tabindex="-1">${short(node ? node.name : model.data.repository.name)}</h1>
    ${node ? html`<${NodeLine} node=${node} />` : html`<${Summary} model=${model} />`}
    ${!node && html`<${FirstIssues} model=${model} />`}
    ${level.inside.length === 0
      ? html`<p class="empty">There are no nodes here.</p>`
      : html`<${Picture} model=${model} level=${shown} route=${route} view="overview" />
        <${Aside} model=${model} numbers=${shown.aside} />
        <${Links} model=${model} level=${shown} />
        <${Members} model=${model} level=${level} aside=${shown.aside} />`}
  `;
}

// The way from the top to a node; the last is where the reader is.
export function Crumbs({ model, number, page }) {
  const way = number === null ? [] : [...model.graph.ancestors(number), ...(page ? [number] : [])];
  const above = way.filter((each) => each !== model.graph.root || each === number);
  return html`<nav class="crumbs" aria-label="Breadcrumbs"><ol>
    <li><a href="#/">${short(model.data.repository.name, 40)}</a></li>
    ${above.map((each) => {
      const node = model.nodes[each];
      const view = model.graph.children(each).length ? "overview" : "node";
      return html`<li><a href=${address(view, node.path)}>${short(node.path.split("/").pop(), 40)}</a></li>`;
    })}
    ${page && html`<li aria-current="page">${page}</li>`}
    ${!page && number !== null && html`<li aria-current="page">${short(model.nodes[number].path.split("/").pop(), 40)}</li>`}
  </ol></nav>`;
}

const NodeLine = ({ node }) => html`<p class="facts">
  <${Type} node=${node} /> <code>${short(node.path)}</code> <${Presence} node=${node} />
  <a href=${address("node", node.path)}>Node page</a>
  <a href=${address("package", node.path)}>Package</a>
</p>`;

function Summary({ model }) {
  const { data } = model;
  const root = model.nodes[model.graph.root];
  const nodes = model.nodes.filter((node) => node.kind === "node" && node.presence !== "missing" && !node.repository);
  const differing = (data.drift?.nodes ?? []).filter(isDrifted);
  const unrecorded = differing.filter((each) => !each.baseline).length;
  const drifted = differing.length - unrecorded;
  const counts = [drifted && `${plural(drifted, "node")} drifted`, unrecorded && `${plural(unrecorded, "node")} without a baseline`];
  return html`<p class="facts">
    <span>${plural(nodes.length, "node")}</span>
    ${root && html`<a href=${address("node", root.path)}>Node page</a>`}
    <a href="#/issues">${data.issues.errors
      ? html`<${Mark} kind="error">${plural(data.issues.errors, "error")}<//>`
      : data.issues.warnings
        ? html`<${Mark} kind="warning">${plural(data.issues.warnings, "warning")}<//>`
        : html`<${Mark} kind="ok">no issues<//>`}</a>
    ${data.drift && html`<a href="#/drift">${differing.length
      ? html`<${Mark} kind="warning">${counts.filter(Boolean).join(", ")}<//>`
      : html`<${Mark} kind="ok">no drift<//>`}</a>`}
    ${data.coverage && html`<a href="#/coverage">${data.coverage.total.percent.toFixed(0)}% of files covered</a>`}
  </p>`;
}

// The errors of a broken graph; warnings are only counted here.
function FirstIssues({ model }) {
  const { issues } = model.data.issues;
  const first = issues.filter((issue) => issue.severity === "error").slice(0, FIRST);
  if (!first.length) return null;
  return html`<section class="panel" aria-labelledby="first-issues">
    <h2 id="first-issues">Issues</h2>
    <ul class="plain">${first.map((issue) => html`<li><${Severity} issue=${issue} /> ${" "}
      <${IssueSubject} model=${model} issue=${issue} />: ${short(issue.message, 200)}</li>`)}</ul>
    <p><a href="#/issues">${issues.length > first.length ? `All ${issues.length} issues` : "Where and how to fix them"}</a></p>
  </section>`;
}

// The nodes that are not in the picture.
const Aside = ({ model, numbers }) => numbers.length > 0 && html`<p class="aside">Set aside, because they are blackboxes or have no drift: ${" "}
  ${model.inOrder(numbers).map((number, at) => html`${at ? ", " : ""}<${NodeLink} path=${model.nodes[number].path} />`)}</p>`;

// The links of the picture in words.
function Links({ model, level }) {
  const name = (number) => html`<${NodeLink} path=${model.nodes[number].path} />`;
  const places = new Map(model.inOrder([...level.inside, ...level.outside]).map((number, place) => [number, place]));
  const links = [...level.links].sort((a, b) => places.get(a.from) - places.get(b.from) || places.get(a.to) - places.get(b.to));
  if (!links.length) return null;
  return html`<details class="links"><summary>${links.length === 1 ? "The link" : `The ${links.length.toLocaleString("en")} links`} as a list</summary>
    <${Filtered} label="Filter links" noun="link" items=${links} words=${(link) => `${model.nodes[link.from].path} ${model.nodes[link.to].path} ${kinds(link)}`}>
      ${(found) => html`<ul class="plain">${found.map((link) => html`<li>${name(link.from)} → ${name(link.to)} <span class="quiet">${kinds(link)}</span></li>`)}</ul>`}
    <//></details>`;
}

// Columns that would be empty are left out; nodes that are not in the picture come last.
function Members({ model, level, aside }) {
  const isAside = new Set(aside);
  const inOrder = model.inOrder(level.inside);
  const ordered = [false, true].flatMap((last) => inOrder.filter((number) => isAside.has(number) === last));
  const all = ordered.map((number) => ({ number, node: model.nodes[number], sum: model.summary(number) }));
  const rows = PRESENCES.flatMap((presence) => all.filter(({ node }) => node.presence === presence));
  const [hasInside, hasIssues, hasDrift] = [
    rows.some(({ sum }) => sum.inside),
    rows.some(({ sum }) => sum.errors || sum.warnings),
    rows.some(({ sum }) => sum.drifted),
  ];
  const [uses, users] = [grouped(level.links, (link) => link.from), grouped(level.links, (link) => link.to)];
  return html`<h2>Nodes</h2><${Filtered} label="Filter nodes" noun="node" items=${rows} words=${({ node }) => `${node.path} ${node.name} ${node.type ?? ""}`}>
    ${(found) => html`<div class="wide" role="region" aria-label="Nodes" tabindex="0">
    <table class="list">
      <thead><tr><th scope="col">Node</th><th scope="col" class="wide-only">Type</th>
        ${hasInside && html`<th scope="col" class="number">Inside</th>`}
        <th scope="col" class="number">Uses</th><th scope="col" class="number">Used by</th>
        ${hasIssues && html`<th scope="col">Issues</th>`}${hasDrift && html`<th scope="col">Drift</th>`}</tr></thead>
      <tbody>${found.map(({ number, node, sum }) => html`<tr key=${node.path}>
        <th scope="row"><${NodeLink} path=${node.path}>${short(node.name)}<//>  <code class="quiet">${short(node.path)}</code> <${Presence} node=${node} /></th>
        <td class="wide-only">${node.presence === "present" && html`<${Type} node=${node} />`}</td>
        ${hasInside && html`<td class="number">${sum.inside ? html`<a href=${address("overview", node.path)}>${sum.inside}</a>` : ""}</td>`}
        <td class="number">${uses.get(number)?.length}</td><td class="number">${users.get(number)?.length}</td>
        ${hasIssues && html`<td><${IssueCount} model=${model} node=${node} sum=${sum} /></td>`}
        ${hasDrift && html`<td>${driftOf(model, node, sum)}</td>`}
      </tr>`)}</tbody>
    </table></div>`}<//>`;
}

function driftOf(model, node, sum) {
  if (!sum.drifted) return "";
  const stale = sum.stale > 0 && html`<span class="quiet">${sum.inside ? `, ${sum.stale} stale` : ", stale"}</span>`;
  if (!sum.inside) return html`<${DriftState} drift=${model.drift.get(node.path)} />${stale}`;
  return html`<${Mark} kind="warning">${plural(sum.drifted, "node")}<//>${stale}`;
}

// The worst issues of a node; if it has nodes inside, how many of them have such issues.
function IssueCount({ model, node, sum }) {
  const worst = sum.errors ? "error" : sum.warnings ? "warning" : "";
  if (!worst) return "";
  const own = model.issuesOf("node", node.path).filter((issue) => issue.severity === worst);
  return html`<${Mark} kind=${worst}>${sum.inside ? `${plural(sum[`${worst}s`], "node")} with ${worst}s` : plural(own.length, worst)}<//>`;
}
