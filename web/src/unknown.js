// The page for an address that leads nowhere.

import { html, short } from "./parts.js";

export const Unknown = ({ kind, name }) => html`<h1 tabindex="-1">Not found</h1>
  <p>There is no ${kind} <code>${short(name)}</code> in this graph. It may have been moved or removed.</p>
  <p><a href="#/">Overview</a> · <a href="#/search">Search</a></p>`;
