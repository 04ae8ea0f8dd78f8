// Search by words: Enter opens the first result, arrows choose another.

import { useEffect, useRef, useState } from "preact/hooks";
import { MOST, parsed, pieces, search } from "./find.js";
import { html, plural, short } from "./parts.js";
import { address } from "./routes.js";

const LONGEST = 240; // characters of a line

export function Search({ model, route }) {
  const [typed, setTyped] = useState(route.query.get("q") ?? "");
  const [chosen, setChosen] = useState(0);
  const current = useRef(0); // also before it is rendered: keys may follow one another quickly
  const input = useRef(null);
  useEffect(() => input.current.focus(), []);
  const query = parsed(typed);
  const { found, total } = search(model, query);
  const to = (result) => address(result.kind, result.thing);
  const choose = (place) => {
    current.current = place;
    setChosen(place);
  };
  const type = (text) => {
    setTyped(text);
    choose(0);
    history.replaceState(null, "", address("search", "", text ? `q=${encodeURIComponent(text)}` : ""));
  };
  const press = (event) => {
    const { value } = event.target; // what is typed may not be rendered yet either
    const now = value === typed ? found : search(model, parsed(value)).found;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && now.length) {
      event.preventDefault();
      const next = (current.current + step + now.length) % now.length;
      choose(next);
      document.getElementById(`result-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && now[current.current]) {
      event.preventDefault();
      location.hash = to(now[current.current]);
    }
  };
  return html`<h1 tabindex="-1">Search</h1>
    <form role="search" onSubmit=${(event) => event.preventDefault()}>
      <label class="hidden" for="search">Words to search for</label>
      <input id="search" class="query" type="search" ref=${input} value=${typed} autocomplete="off" placeholder="payment refund"
        role="combobox" aria-expanded=${found.length > 0 ? "true" : "false"} aria-controls="results" aria-autocomplete="list"
        aria-activedescendant=${found.length ? `result-${chosen}` : null}
        onInput=${(event) => type(event.target.value)} onKeyDown=${press} />
    </form>
    <p class="quiet" role="status">${summary(typed, query, total)}</p>
    <div id="results" class="results" role="listbox" aria-label="Results">${found.map((result, at) => html`
      <a id=${`result-${at}`} key=${`${result.path} ${result.text.name}`} role="option" href=${to(result)} aria-selected=${at === chosen ? "true" : "false"} tabindex="-1">
        <span class="name">${short(result.path)}</span> <span class="where">${short(result.text.name)}:${result.line}</span>
        <span class="line">${pieces(short(result.content, LONGEST), query).map((piece) => (piece.isMarked ? html`<mark>${piece.text}</mark>` : piece.text))}</span>
      </a>`)}</div>`;
}

function summary(typed, query, total) {
  if (!typed.trim()) return `Words of any text, "a phrase", the beginning of a word*, or -word to leave out.`;
  if (!query.wanted.length) return "Type one or more words, at most 64.";
  if (!total) return "Nothing found.";
  return total > MOST ? `The best ${MOST} of ${plural(total, "text")}` : plural(total, "text");
}
