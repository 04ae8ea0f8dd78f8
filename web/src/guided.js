// Nodes of a Spec Graph whose contexts include a node for another reason than their own links: their
// guides, groups or layers need it. The rules are written down in `src/yg/specgraph/questions/impact.py`.

const NEEDS = new Set(["depends_on", "implements"]); // count for all that a group contains
const isGroup = (node) => node.type === "feature" || node.type === "layer";

// `needing` are the nodes that need the target, directly or not.
export function guided(model, target, needing) {
  const { graph, nodes } = model;
  if (!graph.guidance) return [];
  const reached = new Set([target, ...needing]);
  const sets = graph.guidance.map((guides) => guides.some((guide) => reached.has(guide)));
  const found = nodes.flatMap((node, number) => (sets[node.guides] ? [number] : []));
  for (const group of needing) {
    if (!isGroup(nodes[group]) || needs(graph, group, NEEDS).some((other) => reached.has(other))) {
      found.push(...model.descendants(group).slice(1));
    }
  }
  return [...found, ...withLayers(model, layersShowing(model, target, reached))];
}

const needs = (graph, number, types) =>
  (graph.outgoing.get(number) ?? []).filter((edge) => types.has(edge.type)).map((edge) => edge.target);

// The target if it is a layer, and the layers with a foundation that needs it.
function layersShowing({ graph, nodes }, target, reached) {
  const isFoundation = (number) => nodes[number].type === "foundation" && reached.has(number);
  return nodes.flatMap((node, number) => {
    if (node.type !== "layer") return [];
    return number === target || needs(graph, number, new Set(["depends_on"])).some(isFoundation) ? [number] : [];
  });
}

// The nodes that have some of the layers: those that depend on them, and those that they contain.
function withLayers({ graph, nodes }, layers) {
  const found = new Set();
  const waiting = [...layers];
  for (const current of waiting) {
    const users = (graph.incoming.get(current) ?? []).filter((edge) => edge.type === "depends_on");
    const members = isGroup(nodes[current]) ? graph.children(current) : [];
    for (const above of [...users.map((edge) => edge.source), ...members]) {
      if (!found.has(above)) {
        found.add(above);
        waiting.push(above);
      }
    }
  }
  return found;
}
