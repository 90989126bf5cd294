/**
 * The pages of `bench/rendering.mjs` in template languages that need no compiler: concatenation by hand, ghtml and Eta.
 */

/**
 * Returns the pages by concatenation, with the same escaping and filter of URLs as in fw.
 *
 * @param {{ escapeHtml: (text: string) => string, filterURL: (url: string) => string }} helpers
 */
export function byHand({ escapeHtml: esc, filterURL }) {
  const leaf = (name, depth) => {
    let out = "<li>"
    out += esc(name)
    if (depth > 1) out += `<ul>${leaf(name, depth - 1)}</ul>`
    return `${out}</li>`
  }
  return {
    Tree: (list) => {
      let out = "<ul>"
      for (const name of list) out += leaf(name, 50)
      return `${out}</ul>`
    },
    Attributes: (list) => {
      let out = ""
      for (const { id, kind, title, href, open } of list) {
        out += `<b id="${id}" class="${esc(kind)}" title="${esc(title)}" data-key="${esc(href)}" tabindex="${id}"`
        out += open ? " hidden>x</b>" : ">x</b>"
      }
      return out
    },
    Links: (list) => {
      let out = ""
      for (const { href, title } of list) out += `<li><a href="${esc(filterURL(href))}">${esc(title)}</a></li>`
      return out
    },
    Escaped: (list) => {
      let out = ""
      for (const text of list) out += `<p title="${esc(text)}">${esc(text)}</p>`
      return out
    },
  }
}

/** @param {(strings: TemplateStringsArray, ...values: unknown[]) => string} html */
export function withTags(html) {
  const leaf = (name, depth) => html`<li>${name}!${depth > 1 ? html`<ul>!${leaf(name, depth - 1)}</ul>` : ""}</li>`
  return {
    Tree: (list) => html`<ul>!${list.map((name) => leaf(name, 50))}</ul>`,
    Attributes: (list) =>
      html`!${list.map((one) => html`<b id="${one.id}" class="${one.kind}" title="${one.title}" data-key="${one.href}" tabindex="${one.id}"!${one.open ? " hidden" : ""}>x</b>`)}`,
    Links: (list) => html`!${list.map((one) => html`<li><a href="${one.href}">${one.title}</a></li>`)}`,
    Escaped: (list) => html`!${list.map((text) => html`<p title="${text}">${text}</p>`)}`,
  }
}

const etaPages = {
  leaf: '<li><%= it.name %><% if (it.depth > 1) { %><ul><%~ include("@leaf", { name: it.name, depth: it.depth - 1 }) %></ul><% } %></li>',
  Tree: '<ul><% for (const name of it.list) { %><%~ include("@leaf", { name, depth: 50 }) %><% } %></ul>',
  Attributes:
    '<% for (const one of it.list) { %><b id="<%= one.id %>" class="<%= one.kind %>" title="<%= one.title %>" data-key="<%= one.href %>" tabindex="<%= one.id %>"<% if (one.open) { %> hidden<% } %>>x</b><% } %>',
  Links: '<% for (const one of it.list) { %><li><a href="<%= one.href %>"><%= one.title %></a></li><% } %>',
  Escaped: '<% for (const text of it.list) { %><p title="<%= text %>"><%= text %></p><% } %>',
}

/** @param {import("eta").Eta} eta */
export function withEta(eta) {
  for (const [name, text] of Object.entries(etaPages)) eta.loadTemplate(`@${name}`, text)
  return Object.fromEntries(Object.keys(etaPages).map((name) => [name, (list) => eta.render(`@${name}`, { list })]))
}
