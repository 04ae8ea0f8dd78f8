// Texts of the graph as HTML: no raw HTML, no images, few kinds of links, headings in order.

import MarkdownIt from "markdown-it";

const ALLOWED = /^(https?:|mailto:|#)/i;
const md = new MarkdownIt({ html: false, linkify: false, typographer: false });
md.validateLink = (link) => ALLOWED.test(link.trim());
md.renderer.rules.image = (tokens, at) => `<span class="picture">[picture: ${md.utils.escapeHtml(tokens[at].content)}]</span>`;
md.renderer.rules.link_open = (tokens, at, options, env, self) => {
  if (!tokens[at].attrGet("href")?.startsWith("#")) {
    tokens[at].attrSet("rel", "noopener noreferrer");
    tokens[at].attrSet("target", "_blank");
  }
  return self.renderToken(tokens, at, options);
};

md.renderer.rules.table_open = () => `<div class="wide" role="group" aria-label="Table" tabindex="0"><table>`;
md.renderer.rules.table_close = () => "</table></div>";

// Headings start at a level and never skip one, whatever the author wrote; empty ones are dropped.
md.core.ruler.push("headings", (state) => {
  const { base } = state.env;
  let last = base - 1;
  for (let at = 0; at < state.tokens.length; at += 1) {
    const token = state.tokens[at];
    if (token.type !== "heading_open") continue;
    const closing = state.tokens[at + 2];
    if (!state.tokens[at + 1].content.trim()) {
      token.hidden = closing.hidden = true;
      token.type = closing.type = "paragraph_open";
      continue;
    }
    last = Math.min(6, last + 1, base - 1 + Number(token.tag[1]));
    token.tag = closing.tag = `h${last}`;
  }
});

export const LONGEST = 300_000; // characters; a longer text is shown as it is

export const rendered = (text, base) => md.render(text, { base });
