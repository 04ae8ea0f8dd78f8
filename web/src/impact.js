// What a change to a node can affect: the same nodes as `yg impact NODE` lists.

import { guided } from "./guided.js";

export function impactOf(model, number) {
  const { graph, nodes } = model;
  const users = (of) => (graph.incoming.get(of) ?? []).filter((edge) => !edge.weak).map((edge) => edge.source);
  const direct = new Set(users(number));
  const needing = new Set(direct);
  for (const each of needing) users(each).forEach((user) => needing.add(user));
  const others = (numbers) => [...new Set(numbers)].filter((each) => each !== number && nodes[each].presence === "present" && !nodes[each].repository);
  const parts = {
    direct: others(direct),
    transitive: others(needing).filter((each) => !direct.has(each)),
    named: others(naming(graph, number)),
    below: others(model.descendants(number)),
  };
  const known = new Set(Object.values(parts).flat());
  const guiding = others(guided(model, number, needing));
  parts.guided = guiding.filter((each) => !known.has(each));
  return { ...parts, all: [...known, ...parts.guided] };
}

// The nodes at the other end of events; in a Spec Graph, those that name a node without needing it.
function naming(graph, number) {
  const weak = (graph.incoming.get(number) ?? []).filter((edge) => edge.weak).map((edge) => edge.source);
  const told = (graph.outgoing.get(number) ?? []).filter((edge) => edge.type === "emits").map((edge) => edge.target);
  return [...weak, ...told, ...(graph.guidance ? graph.containers(number) : [])];
}
