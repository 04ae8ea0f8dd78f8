// Search by words.

import { html } from "./parts.js";

export const Search = () => html`<h1 tabindex="-1">Search</h1>`;
