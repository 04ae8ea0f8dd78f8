// Issues, drift and coverage: lists that can be filtered.

import { Change, Folded } from "./node.js";
import { Review, reviewWords } from "./review.js";
import { Bar, DriftState, Empty, Filtered, Issue, Mark, NodeLink, html, plural, short } from "./parts.js";

export function Issues({ model, route }) {
  const { issues, errors, warnings } = model.data.issues;
  return html`<h1 tabindex="-1">Issues</h1>
    <p class="facts">${errors > 0 && html`<${Mark} kind="error">${plural(errors, "error")}<//>`}
      ${warnings > 0 && html`<${Mark} kind="warning">${plural(warnings, "warning")}<//>`}
      ${!issues.length && html`<${Mark} kind="ok">no issues<//>`}</p>
    ${model.data.graph.skipped.length > 0 && html`<p>${plural(model.data.graph.skipped.length, "file")} could not be read.</p>`}
    ${issues.length > 0 && html`<${Filtered} label="Filter issues" noun="issue" items=${issues} route=${route} choices=${["error", "warning"]}
      choice=${(issue) => issue.severity} words=${(issue) => `${issue.code} ${issue.rule} ${issue.subject} ${issue.message} ${issue.file}`}>
      ${(found) => html`<ul class="issues">${found.map((issue) => html`<${Issue} model=${model} issue=${issue} />`)}</ul>`}
    <//>`}`;
}

export function Drift({ model, route }) {
  const { drift } = model.data;
  if (!drift) return html`<h1 tabindex="-1">Drift</h1><${Empty}>This page has no drift: the graph has no baselines, its configuration cannot be read, or the page shows a commit.<//>`;
  const drifted = drift.nodes.filter((node) => node.state !== "ok");
  const unrecorded = drifted.filter((node) => !node.baseline).length;
  return html`<h1 tabindex="-1">Drift</h1>
    <p class="facts">${drifted.length ? html`<${Mark} kind="warning">${drifted.length === 1 ? "1 node differs from its baseline" : `${plural(drifted.length, "node")} differ from their baselines`}<//>` : html`<${Mark} kind="ok">every node matches its baseline<//>`}
      ${unrecorded > 0 && html`<span>${unrecorded === drifted.length ? "no baseline is recorded" : `${unrecorded.toLocaleString("en")} without a baseline`}</span>`}
      <span>${plural(drift.nodes.length, "mapped node")}</span></p>
    ${(drift.notes ?? []).map((note) => html`<p><${Mark} kind="warning">${short(note, 400)}<//></p>`)}
    <${Filtered} label="Filter nodes" noun="node" items=${[...drifted, ...drift.nodes.filter((node) => node.state === "ok")]} route=${route}
      choice=${(node) => node.state} words=${(node) => [node.node, node.state, ...[...node.source, ...node.graph].map((change) => `${change.path} ${change.class ?? ""}`), ...reviewWords(model, node.node)].join(" ")}>
      ${(found) => html`<ul class="rows states">${found.map((node) => html`<li>
        <p><${NodeLink} path=${node.node} /> <span><${DriftState} drift=${node} /> ${short(node.reason ?? "", 300)}</span></p>
        ${node.source.length + node.graph.length > 0 && html`<ul class="plain"><${Folded} items=${[...node.source, ...node.graph].map((change) => html`<${Change} change=${change} />`)} /></ul>`}
        <${Review} model=${model} path=${node.node} />
      </li>`)}</ul>`}
    <//>`;
}

const DEPTH = 2; // directories below the root that are listed

export function Coverage({ model, route }) {
  const { coverage, files } = model.data;
  if (!coverage) return html`<h1 tabindex="-1">Coverage</h1><${Empty}>Nodes of this kind of graph own no files, or its configuration cannot be read.<//>`;
  const { total } = coverage;
  const directories = coverage.directories.filter((each) => each.directory !== "." && each.directory.split("/").length <= DEPTH);
  return html`<h1 tabindex="-1">Coverage</h1>
    <p class="facts"><strong>${total.percent.toFixed(2)}%</strong> <span>${plural(total.files, "file")}, ${total.uncovered.toLocaleString("en")} without a node</span></p>
    <${Bar} share=${total.percent / 100} />
    ${directories.length > 0 && html`<h2>Directories</h2><div class="wide" role="region" aria-label="Directories" tabindex="0"><table class="list">
      <thead><tr><th scope="col">Directory</th><th scope="col" class="number">Files</th><th scope="col" class="number">Without a node</th><th scope="col" class="number">Covered</th></tr></thead>
      <tbody>${directories.slice(0, 200).map((each) => html`<tr><th scope="row"><code>${short(each.directory)}</code></th><td class="number">${each.files}</td>
        <td class="number">${each.uncovered || ""}</td><td class="number">${each.percent.toFixed(0)}%</td></tr>`)}</tbody></table></div>`}
    <h2>Files</h2>
    <${Filtered} label="Filter files" noun="file" items=${files} route=${route} choices=${["without a node", "with a node"]}
      choice=${(file) => (file.node ? "with a node" : "without a node")} words=${(file) => `${file.path} ${file.node}`}>
      ${(found) => html`<ul class="rows files">${found.map((file) => html`<li><code>${short(file.path, 200)}</code> ${file.node ? html`<${NodeLink} path=${file.node} />` : html`<${Mark} kind="warning">no node<//>`}</li>`)}</ul>`}
    <//>`;
}
