// Addresses of views, such as `#/node/orders%2Forder-service`.

const LONGEST = 500;

export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/");
  return { view: view || "overview", name: plain(rest.join("/")), query: new URLSearchParams(query) };
}

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const address = (view, name = "", query = "") =>
  `#/${view}${name ? `/${written(name)}` : ""}${query ? `?${query}` : ""}`;

// A name that no address can hold, because of its length or its characters, is given as a number.
function written(name) {
  try {
    if (name.length <= LONGEST) return encodeURIComponent(name);
  } catch {
    // A lone surrogate, of a file name that is not UTF-8.
  }
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return `~${(hash >>> 0).toString(36)}.${name.length}`;
}

// The number of the node, aspect or flow in an address.
export function named(model, kind, name) {
  const found = model.graph.number(kind, name);
  if (found !== undefined || !name.startsWith("~")) return found;
  const number = model.nodes.findIndex((node) => node.kind === kind && written(node.path) === name);
  return number < 0 ? undefined : number;
}
