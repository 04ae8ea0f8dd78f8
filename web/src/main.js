// The page: header, navigation and the view that the address names.

import { Component, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Changes } from "./changes.js";
import { Model, decoded } from "./data.js";
import { Coverage, Drift, Issues } from "./lists.js";
import { NodePage } from "./node.js";
import { Overview } from "./overview.js";
import { PackagePage } from "./package.js";
import { Mark, html, short } from "./parts.js";
import { address, parse } from "./routes.js";
import { Search } from "./search.js";
import { AspectPage, Aspects, FlowPage, Flows } from "./things.js";
import { Unknown } from "./unknown.js";

const VIEWS = new Map(Object.entries({
  overview: Overview,
  issues: Issues,
  drift: Drift,
  coverage: Coverage,
  aspects: Aspects,
  flows: Flows,
  changes: Changes,
  search: Search,
  node: NodePage,
  package: PackagePage,
  aspect: AspectPage,
  flow: FlowPage,
}));
const PAGES = ["overview", "issues", "drift", "coverage", "aspects", "flows"];
const title = (view) => view[0].toUpperCase() + view.slice(1);

const POLL = 1000; // milliseconds between two questions to the server

function Page({ data, isServed }) {
  const [current, setCurrent] = useState({ model: new Model(data), at: isServed ? new Date() : null });
  const [route, setRoute] = useState(parse(location.hash));
  const [isLost, setLost] = useState(false);
  const main = useRef(null);
  const { model } = current;

  useEffect(() => {
    const follow = () => setRoute(parse(location.hash));
    const open = (event) => {
      const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
      const isKey = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (isKey || (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey)) {
        event.preventDefault();
        location.hash = address("search");
        document.querySelector("#search")?.focus();
      }
    };
    const unfold = () => document.querySelectorAll("details").forEach((each) => (each.open = true));
    addEventListener("hashchange", follow);
    addEventListener("keydown", open);
    addEventListener("beforeprint", unfold);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("keydown", open);
      removeEventListener("beforeprint", unfold);
    };
  }, []);

  useEffect(() => (isServed ? watched(setCurrent, setLost) : undefined), []);

  const place = `${route.view} ${route.name}`;
  const before = useRef(place);
  useEffect(() => {
    const heading = main.current.querySelector("h1");
    document.title = `${heading?.textContent ?? ""} · ${model.data.repository.name}`.slice(0, 200);
    if (before.current === place) return;
    before.current = place;
    scrollTo(0, 0);
    if (route.view !== "search") heading?.focus({ preventScroll: true });
  });

  const View = VIEWS.get(route.view) ?? (() => html`<${Unknown} kind="page" name=${route.view} />`);
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.focus(); }}>Skip to content</a>
    <${Header} model=${model} at=${current.at} isLost=${isLost} />
    <${Navigation} view=${route.view} model=${model} />
    <main id="main" tabindex="-1" ref=${main}><${Guard} key=${place}><${View} model=${model} route=${route} /><//></main>`;
}

// Show the error of a view that fails; the others still work.
class Guard extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ error });
  }

  render({ children }, { error }) {
    return error ? html`<h1 tabindex="-1">This view failed</h1><p><code>${short(String(error), 400)}</code></p>` : children;
  }
}

// Ask the server whether the graph has changed; if so, load the data and keep the view.
function watched(setCurrent, setLost) {
  let version = document.documentElement.dataset.version;
  const ask = async () => {
    try {
      const reply = await fetch("events", { cache: "no-store" });
      const now = await reply.text();
      setLost(!reply.ok);
      if (reply.ok && now !== version) {
        const loaded = await fetch("data.json", { cache: "no-store" });
        setCurrent({ model: new Model(await loaded.json()), at: new Date() });
        version = now;
      }
    } catch {
      setLost(true);
    }
  };
  const timer = setInterval(ask, POLL);
  document.addEventListener("visibilitychange", ask);
  return () => clearInterval(timer);
}

function Header({ model, at, isLost }) {
  const { repository, version, graph } = model.data;
  const state = repository.dirty === null ? "not in git" : repository.dirty ? "dirty" : "clean";
  return html`<header>
    <p class="brand"><a href="#/">${short(repository.name, 60)}</a></p>
    <p class="source">
      ${repository.commit && html`<code title=${repository.commit}>${repository.commit.slice(0, 12)}</code>`}
      ${repository.commit === null && repository.dirty !== null && html`<span>no commit yet</span>`}
      <span>${state}</span>
      ${at && html`<span>refreshed ${at.toLocaleTimeString()}</span>`}
      ${isLost && html`<${Mark} kind="warning">the server does not answer<//>`}
      <span>${graph.kind}</span><span>yg ${version}</span>
    </p>
  </header>`;
}

const Navigation = ({ view, model }) => html`<nav class="pages" aria-label="Pages"><ul>
  ${[...PAGES, ...(model.data.changes ? ["changes"] : [])].map((page) => html`<li><a href=${page === "overview" ? "#/" : `#/${page}`} aria-current=${view === page ? "page" : null}>${title(page)}</a></li>`)}
  <li class="find"><a href="#/search" aria-current=${view === "search" ? "page" : null}>Search <kbd>/</kbd></a></li>
</ul></nav>`;

const data = await decoded(document.getElementById("data").textContent);
document.getElementById("page").replaceChildren();
render(html`<${Page} data=${data} isServed=${document.documentElement.dataset.version !== undefined} />`, document.getElementById("page"));
