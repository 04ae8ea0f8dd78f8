// A level as boxes or as a matrix, with a switch between them.

import { Boxes } from "./boxes.js";
import { canBeDrawn, formOf } from "./level.js";
import { Matrix } from "./matrix.js";
import { html } from "./parts.js";
import { address } from "./routes.js";

const TITLES = { boxes: "Boxes", matrix: "Matrix" };
const VIEWS = { boxes: Boxes, matrix: Matrix };

export function Picture({ model, level, route, view }) {
  const form = formOf(level, route.query.get("as"));
  const to = (as) => address(view, route.name, `as=${as}`);
  return html`${canBeDrawn(level) && html`<div class="switch" role="group" aria-label="Show links as">
      ${Object.entries(TITLES).map(([name, title]) => html`<a href=${to(name)} aria-current=${form === name ? "true" : null}>${title}</a>`)}
    </div>`}
    <${VIEWS[form]} model=${model} level=${level} view=${view} />`;
}
