/**
 * Measures how compiled templates render three kinds of pages: a component tree (10,000 calls, 50 levels), a long list of
 * short attributes, and text that needs escaping everywhere. `bench/template.mjs` has the table.
 *
 *     npm install --prefix /tmp/fw-bench eta ghtml preact preact-render-to-string hono
 *     node bench/rendering.mjs [/tmp/fw-bench] [DIST of another version]
 *
 * Processor time, medians of rounds in turn, and the speed relative to hand-written concatenation with the same escaping.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { transformSync } from "esbuild"
import { record } from "./support/record.mjs"
import { median, turns } from "./support/turns.mjs"

const peers = resolve(process.argv[2] ?? "/tmp/fw-bench")
const other = process.argv[3]
const scratch = join(peers, "fw-bench-out")
const read = (name) => readFileSync(new URL(`./template/${name}`, import.meta.url), "utf8")
const nasty = `<a href="x">'Tom' & "Jerry"</a>`
const lists = {
  Tree: Array.from({ length: 200 }, (_, at) => `leaf ${at}`),
  Attributes: Array.from({ length: 2000 }, (_, id) => ({
    id,
    kind: id % 2 ? "odd" : "even",
    title: `Item ${id}`,
    href: `/items/${id}`,
    open: id % 3 === 0,
  })),
  Escaped: Array.from({ length: 2000 }, (_, at) => `${nasty} ${at} ${nasty}`),
}

const titles = {
  Tree: "component tree, 10,000 calls, 50 levels",
  Attributes: "12,000 short attributes",
  Escaped: "text that needs escaping everywhere",
}

async function load(name, code) {
  mkdirSync(scratch, { recursive: true })
  const file = join(scratch, name)
  writeFileSync(file, code)
  return import(pathToFileURL(file).href)
}

async function fw(dist, name) {
  const { compile } = await import(new URL("lib/template/index.js", dist).href)
  const helpers = JSON.stringify(new URL("lib/html.js", dist).href)
  const code = compile(read("rows.tpl"), "rows.tpl").code.replaceAll('"fw/html"', helpers)
  const page = await load(`${name}.mjs`, transformSync(code, { loader: "ts" }).code)
  return (kind, list) => page[kind](list).value
}

async function hand() {
  const { escapeHtml: esc } = await import("../dist/lib/html.js")
  const leaf = (name, depth) => {
    let out = "<li>"
    out += esc(name)
    if (depth > 1) out += `<ul>${leaf(name, depth - 1)}</ul>`
    return `${out}</li>`
  }
  const pages = {
    Tree: (list) => {
      let out = "<ul>"
      for (const name of list) out += leaf(name, 50)
      return `${out}</ul>`
    },
    Attributes: (list) => {
      let out = ""
      for (const { id, kind, title, href, open } of list) {
        out += `<b id="${id}" class="${esc(kind)}" title="${esc(title)}" data-href="${esc(href)}" tabindex="${id}"`
        out += open ? " hidden>x</b>" : ">x</b>"
      }
      return out
    },
    Escaped: (list) => {
      let out = ""
      for (const text of list) out += `<p title="${esc(text)}">${esc(text)}</p>`
      return out
    },
  }
  return (kind, list) => pages[kind](list)
}

async function jsx(name, source, render) {
  const { code } = transformSync(read("rows.jsx"), {
    loader: "jsx",
    jsx: "automatic",
    jsxImportSource: source,
  })
  const page = await load(`${name}.mjs`, `${code}\n${render}`)
  return (kind, list) => page.render(page[kind]({ list }))
}

async function ghtml() {
  const { html } = await load("ghtml.mjs", 'export { html } from "ghtml"')
  const leaf = (name, depth) =>
    html`<li>${name}!${depth > 1 ? html`<ul>!${leaf(name, depth - 1)}</ul>` : ""}</li>`
  const pages = {
    Tree: (list) => html`<ul>!${list.map((name) => leaf(name, 50))}</ul>`,
    Attributes: (list) =>
      html`!${list.map((one) => html`<b id="${one.id}" class="${one.kind}" title="${one.title}" data-href="${one.href}" tabindex="${one.id}"!${one.open ? " hidden" : ""}>x</b>`)}`,
    Escaped: (list) => html`!${list.map((text) => html`<p title="${text}">${text}</p>`)}`,
  }
  return (kind, list) => pages[kind](list)
}

const makers = {
  "by hand": hand,
  fw: () => fw(new URL("../dist/", import.meta.url), "rows-fw"),
  ...(other && { "fw before": () => fw(pathToFileURL(`${resolve(other)}/`), "rows-other") }),
  ghtml,
  "hono/jsx": () => jsx("rows-hono", "hono/jsx", "export const render = (page) => page.toString()"),
  preact: () => jsx("rows-preact", "preact", 'export { render } from "preact-render-to-string"'),
}

const found = []
for (const [name, make] of Object.entries(makers)) {
  try {
    found.push([name, await make()])
  } catch (error) {
    console.log(`${name} is left out: ${error.message.split("\n")[0]}`)
  }
}
/** Returns what a browser shows: markup without differences in the spelling of entities and of attributes without a value. */
const normal = (text) =>
  text
    .replaceAll(/&#39;|&apos;|&#x27;/g, "'")
    .replaceAll(/&#34;|&quot;/g, '"')
    .replaceAll("&gt;", ">")
    .replaceAll(' hidden=""', " hidden")
    .replaceAll("&#96;", "`")
const measured = []
for (const [kind, list] of Object.entries(lists)) {
  const expected = normal(found[0][1](kind, list))
  for (const [name, render] of found)
    if (normal(render(kind, list)) !== expected) console.log(`${name} renders something else: ${kind}`)
  // Reading a character joins the pieces of a text, as sending it does.
  const flat = (text) => text.charCodeAt(text.length >> 1)
  const times = await turns(
    found.map(
      ([, render]) =>
        () =>
          flat(render(kind, list)),
    ),
    { rounds: 31, calls: 4, warmup: 8 },
  )
  measured.push({
    row: titles[kind],
    values: Object.fromEntries(found.map(([name], at) => [name, Math.round(median(times[at]))])),
  })
  console.log(`\n${kind}`)
  for (const [at, [name]] of found.entries()) {
    const of = median(times[0].map((time, round) => time / times[at][round]))
    console.log(`  ${name.padEnd(12)} ${median(times[at]).toFixed(0).padStart(7)} µs   ${of.toFixed(2)}`)
  }
}
record({
  id: "rendering",
  title: "Processor time to render a page",
  unit: "µs",
  better: "less",
  measure: "by hand",
  rows: measured,
})
