/**
 * Measures how fast compiled templates render four pages: a tree of components (10,000 calls, 50 levels), a long list with
 * short attributes, a list of links, and text in which everything has to be escaped. The page with a table is in
 * `bench/template.mjs`.
 *
 *     npm install --prefix /tmp/fw-bench eta ghtml @kitajs/html preact preact-render-to-string hono
 *     node --conditions=fw-source bench/rendering.mjs [--peers /tmp/fw-bench] [--other DIST] [--rounds 42] [--processes 5] [ROW …]
 *
 * It prints the processor time, and the speed relative to concatenation by hand with the same escaping and the same filter of
 * URLs. Both are medians over several processes, because V8 optimizes a program differently in each.
 * `--other` is the `dist` directory of another version of fw.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { transformSync } from "esbuild"
import { record } from "./support/record.mjs"
import { measureInTurns, median } from "./support/turns.mjs"
import { byHand, withEta, withTags } from "./template/rows.mjs"

const { values: options, positionals } = parseArgs({
  options: {
    peers: { type: "string", default: "/tmp/fw-bench" },
    other: { type: "string" },
    rounds: { type: "string", default: "42" },
    processes: { type: "string", default: "5" },
    child: { type: "boolean", default: false },
  },
  allowPositionals: true,
})
const scratch = join(resolve(options.peers), "fw-bench-out")
const read = (name) => readFileSync(new URL(`./template/${name}`, import.meta.url), "utf8")
const specialText = `<a href="x">'Tom' & "Jerry"</a>`
const items = Array.from({ length: 2000 }, (_, id) => ({
  id,
  kind: id % 2 ? "odd" : "even",
  title: `Item ${id}`,
  href: `/items/${id}`,
  open: id % 3 === 0,
}))
const lists = {
  Tree: Array.from({ length: 200 }, (_, at) => `leaf ${at}`),
  Attributes: items,
  Links: items,
  Escaped: Array.from({ length: 2000 }, (_, at) => `${specialText} ${at} ${specialText}`),
}

const titles = {
  Tree: "component tree, 10,000 calls, 50 levels",
  Attributes: "12,000 short attributes",
  Links: "2,000 links",
  Escaped: "text that needs escaping everywhere",
}

async function load(name, code) {
  mkdirSync(scratch, { recursive: true })
  const file = join(scratch, name)
  writeFileSync(file, code)
  return import(pathToFileURL(file).href)
}

async function fw(dist, name) {
  const { compile } = await import(new URL("template/index.js", dist).href)
  const helpers = JSON.stringify(new URL("lib/html.js", dist).href)
  const code = compile(read("rows.tpl"), "rows.tpl").code.replaceAll('"fw/html"', helpers)
  const page = await load(`${name}.mjs`, transformSync(code, { loader: "ts" }).code)
  return (kind, list) => page[kind](list).value
}

async function hand() {
  const { escapeHtml } = await import("../dist/lib/html.js")
  const { filterURL } = await import("../lib/html/filters.ts")
  const pages = byHand({ escapeHtml, filterURL })
  return (kind, list) => pages[kind](list)
}

async function jsx(name, source, file, render) {
  const { code } = transformSync(read(file), { loader: "jsx", jsx: "automatic", jsxImportSource: source })
  const page = await load(`${name}.mjs`, `${code}\n${render}`)
  return (kind, list) => page.render(page[kind]({ list }))
}

async function ghtml() {
  const { html } = await load("ghtml.mjs", 'export { html } from "ghtml"')
  const pages = withTags(html)
  return (kind, list) => pages[kind](list)
}

async function eta() {
  const { Eta } = await load("eta.mjs", 'export { Eta } from "eta"')
  const pages = withEta(new Eta({ autoTrim: false }))
  return (kind, list) => pages[kind](list)
}

const kita = 'import { Html } from "@kitajs/html"\nexport const render = (page) => page'
const makers = {
  "by hand": hand,
  fw: () => fw(new URL("../dist/", import.meta.url), "rows-fw"),
  ...(options.other && { "fw before": () => fw(pathToFileURL(`${resolve(options.other)}/`), "rows-other") }),
  ghtml,
  eta,
  "@kitajs/html": () => jsx("rows-kita", "@kitajs/html", "rows.kita.jsx", kita),
  "hono/jsx": () => jsx("rows-hono", "hono/jsx", "rows.jsx", "export const render = (page) => page.toString()"),
  preact: () => jsx("rows-preact", "preact", "rows.jsx", 'export { render } from "preact-render-to-string"'),
}

const renderers = []
for (const [name, make] of Object.entries(makers)) {
  try {
    renderers.push([name, await make()])
  } catch (error) {
    console.error(`${name} is left out: ${error.message.split("\n")[0]}`)
  }
}

/**
 * Returns markup without differences that a browser does not show: spellings of entities, and of attributes without a
 * value.
 */
const normalize = (text) =>
  text
    .replaceAll(/&#39;|&apos;|&#x27;/g, "'")
    .replaceAll(/&#34;|&quot;/g, '"')
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll(' hidden=""', " hidden")
    .replaceAll("&#96;", "`")

/** Reads one character, which makes V8 join the pieces of the string, as sending it would. */
const flatten = (text) => text.charCodeAt(text.length >> 1)

async function measureRow(kind, list) {
  const expected = normalize(renderers[0][1](kind, list))
  const functions = renderers.map(
    ([, render]) =>
      () =>
        flatten(render(kind, list)),
  )
  const different = renderers.flatMap(([name, render]) => (normalize(render(kind, list)) === expected ? [] : [name]))
  const times = await measureInTurns(functions, { rounds: Number(options.rounds), calls: 4, warmup: 8 })
  const values = renderers.map(([name], at) => ({
    name,
    time: median(times[at]),
    speed: median(times[0].map((time, round) => time / times[at][round])),
  }))
  return { kind, different, values }
}

/** Measures each page in this process. */
async function measureHere() {
  const rows = []
  for (const [kind, list] of Object.entries(lists))
    if (positionals.length === 0 || positionals.includes(kind)) rows.push(await measureRow(kind, list))
  return rows
}

function measureApart() {
  const results = Array.from({ length: Number(options.processes) }, () =>
    JSON.parse(execFileSync(process.execPath, [...process.argv.slice(1), "--child"], { encoding: "utf8" })),
  )
  return results[0].map(({ kind, different, values }, row) => ({
    kind,
    different,
    values: values.map(({ name }, at) => ({
      name,
      time: median(results.map((rows) => rows[row].values[at].time)),
      speed: median(results.map((rows) => rows[row].values[at].speed)),
    })),
  }))
}

if (options.child) console.log(JSON.stringify(await measureHere()))
else {
  const rows = measureApart()
  for (const { kind, different, values } of rows) {
    console.log(`\n${kind}`)
    for (const name of different) console.log(`  ${name} renders something else`)
    for (const { name, time, speed } of values)
      console.log(`  ${name.padEnd(12)} ${time.toFixed(0).padStart(7)} µs   ${speed.toFixed(2)}`)
  }
  record({
    title: "Processor time to render a page",
    unit: "µs",
    better: "less",
    measure: "by hand",
    rows: rows.map(({ kind, values }) => ({
      row: titles[kind],
      values: Object.fromEntries(values.map(({ name, time }) => [name, Math.round(time)])),
    })),
  })
}
