// What a change to a node can affect: the same nodes as `yg impact NODE` lists.

export function impactOf(model, number) {
  const { graph } = model;
  const strong = (edges) => edges.filter((edge) => !edge.weak);
  const users = (of) => strong(graph.incoming.get(of) ?? []).map((edge) => edge.source);
  const direct = new Set(users(number).filter((each) => each !== number));
  const seen = new Set(direct);
  for (const each of seen) users(each).forEach((user) => user !== number && seen.add(user));
  const weak = (graph.incoming.get(number) ?? []).filter((edge) => edge.weak);
  const told = (graph.outgoing.get(number) ?? []).filter((edge) => edge.type === "emits");
  const beside = new Set([...weak.map((edge) => edge.source), ...told.map((edge) => edge.target)]);
  beside.delete(number);
  const readable = (each) => model.nodes[each].presence === "present";
  const below = model.descendants(number).filter((each) => each !== number && readable(each));
  const transitive = [...seen].filter((each) => !direct.has(each));
  const all = new Set([...seen, ...[...beside].filter(readable), ...below]);
  return { direct: [...direct], transitive, beside: [...beside].filter(readable), below, all: [...all] };
}
