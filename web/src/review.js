// What `yg review` says about a node: the sentences to check, and the changed names in none of them.

import { Folded } from "./node.js";
import { html, short } from "./parts.js";

const FILE = "(file)"; // the name of what is outside of all declarations

const MOST = 20; // names that are listed

const nameOf = (part) => short(part.name === FILE ? part.path : part.name, 120);

// Why a sentence is to be checked: changed parts it is about, values that are gone.
function reasons({ evidence, parts, values }) {
  const gone = (part) => evidence === "gone" && part.change === "removed";
  const changed = parts.map((part) => `${nameOf(part)} ${gone(part) ? "is gone" : part.change}`).join(", ");
  const lost = values.length ? `${values.map((value) => short(value, 120)).join(", ")} ${values.length === 1 ? "is" : "are"} gone` : "";
  return [changed, lost].filter(Boolean).join("; ");
}

export function Review({ model, path }) {
  const found = model.reviews.get(path);
  if (!found) return null;
  const sentences = found.sentences.map((sentence) => html`<li>
    <code class="quiet">${short(sentence.document)}:${sentence.line}</code> <q>${sentence.text}</q>
    <div class="quiet">${reasons(sentence)}</div></li>`);
  const names = found.unmentioned.slice(0, MOST).map((part) => `${nameOf(part)} (${part.class})`);
  const more = found.unmentioned.length - names.length;
  return html`${sentences.length > 0 && html`<p class="label">Check:</p><ul class="plain review"><${Folded} items=${sentences} /></ul>`}
    ${names.length > 0 && html`<p class="label review">Changed, but in no sentence: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}</p>`}`;
}

// The words of a review that a list can be filtered by.
export function reviewWords(model, path) {
  const { sentences = [], unmentioned = [] } = model.reviews.get(path) ?? {};
  return [...sentences.map((sentence) => `${sentence.text} ${reasons(sentence)}`), ...unmentioned.map(nameOf)];
}
