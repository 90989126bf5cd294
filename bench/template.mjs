// Measures the template compiler: how fast its output renders compared with other template languages, and how fast it
// compiles. Run it by hand, after `npm run build`:
//
//   npm install --prefix /tmp/fw-bench svelte eta hono @kitajs/html
//   node bench/template.mjs [/tmp/fw-bench] [contender …]
//
// Template languages that are not installed are left out. All of them render the same table, with 1,000 rows of four cells
// with escaped text, an attribute and a conditional class, in a balanced order. The medians of the processor time are
// compared, over five processes, because V8 optimizes a program differently in each. With names of contenders after the
// folder, such as "by hand" and fw, only these are measured.

import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { transformSync } from "esbuild"
import { escapeHtml } from "../dist/lib/html.js"
import { compile } from "../dist/template/index.js"
import { record } from "./support/record.mjs"
import { measureInTurns, median } from "./support/turns.mjs"

const peersFolder = process.argv[2] ?? "/tmp/fw-bench"
const here = (name) => new URL(`./template/${name}`, import.meta.url)
const read = (name) => readFileSync(here(name), "utf8")
const scratch = join(peersFolder, "fw-bench-out")
const isChild = process.argv.includes("--child")
const chosenNames = process.argv.slice(3).filter((name) => name !== "--child")
const roundCount = 42
const rendersPerRound = 20

const rows = Array.from({ length: 1000 }, (_, id) => ({
  id,
  name: `Person ${id} & Co`,
  email: `person${id}@example.com`,
  role: id % 3 === 0 ? "administrator" : "member",
  note: id % 10 === 0 ? 'said "hello" <twice>' : "a short note without anything special in it",
  active: id % 2 === 0,
}))

/** Writes a module next to the installed packages, so that its imports are found, and imports it. */
async function load(name, code) {
  mkdirSync(scratch, { recursive: true })
  const file = join(scratch, name)
  writeFileSync(file, code)
  return import(pathToFileURL(file).href)
}

function renderByHand(list) {
  let out = "<table><tbody>"
  for (const row of list) {
    out += `<tr data-id="${row.id}"><td class="${row.active ? "cell active" : "cell"}">`
    out += escapeHtml(row.name)
    out += "</td><td>"
    out += escapeHtml(row.email)
    out += "</td><td>"
    out += escapeHtml(row.role)
    out += "</td><td>"
    out += escapeHtml(row.note)
    out += "</td></tr>"
  }
  return `${out}</tbody></table>`
}

const jsx = (name, jsxImportSource) =>
  transformSync(read(name), { loader: "jsx", jsx: "automatic", jsxImportSource }).code

const contenders = {
  "by hand": () => renderByHand,
  fw: async () => {
    const runtime = new URL("../dist/lib/html.js", import.meta.url).href
    const code = compile(read("table.tpl"), "table.tpl").code.replaceAll('"fw/html"', JSON.stringify(runtime))
    const { Table } = await load("fw.mjs", transformSync(code, { loader: "ts" }).code)
    return (list) => Table(list).value
  },
  svelte: async () => {
    const compiler = await load("svelte-compiler.mjs", 'export { compile } from "svelte/compiler"')
    const { js } = compiler.compile(read("Table.svelte"), { generate: "server", dev: false })
    const { default: Table } = await load("svelte.mjs", js.code)
    const { render } = await load("svelte-server.mjs", 'export { render } from "svelte/server"')
    return (list) => render(Table, { props: { rows: list } }).body
  },
  eta: async () => {
    const { Eta } = await load("eta.mjs", 'export { Eta } from "eta"')
    const eta = new Eta({ autoTrim: false })
    const template = eta.compile(read("table.eta").trimEnd())
    return (list) => eta.render(template, { rows: list })
  },
  "hono/html": async () => {
    const { html } = await load("hono-html.mjs", 'export { html } from "hono/html"')
    const row = (one) =>
      html`<tr data-id="${one.id}"><td class="${one.active ? "cell active" : "cell"}">${one.name}</td><td>${one.email}</td><td>${one.role}</td><td>${one.note}</td></tr>`
    return (list) => html`<table><tbody>${list.map(row)}</tbody></table>`.toString()
  },
  "@kitajs/html": async () => (await load("kita.mjs", jsx("table.kita.jsx", "@kitajs/html"))).render,
  "Hono JSX": async () => (await load("hono-jsx.mjs", jsx("table.hono-jsx.jsx", "hono/jsx"))).render,
}

/** Reads one character, which makes V8 join the pieces of the string, as sending it would. */
const flatten = (text) => text.charCodeAt(text.length >> 1)

/**
 * Returns the text that a browser would show, without comments and with entities resolved, so that the pages can be
 * compared.
 */
const normalize = (text) =>
  text
    .replace(/<!--.*?-->/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#34;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&gt;", ">")

async function loadRenderers() {
  const renderers = []
  for (const [name, make] of Object.entries(contenders)) {
    if (chosenNames.length > 0 && !chosenNames.includes(name)) continue
    try {
      renderers.push({ name, render: await make() })
    } catch (error) {
      console.error(`${name} is left out: ${error.message.split("\n")[0]}`)
      if (error.code?.includes("NOT_FOUND"))
        console.error(`  npm install --prefix ${peersFolder} svelte eta hono @kitajs/html`)
    }
  }
  const expected = normalize(renderByHand(rows))
  for (const { name, render } of renderers) {
    if (normalize(render(rows)) !== expected) throw new Error(`${name} renders something else`)
  }
  return renderers
}

async function measureRendering() {
  const renderers = await loadRenderers()
  const functions = renderers.map(
    ({ render }) =>
      () =>
        flatten(render(rows)),
  )
  const times = await measureInTurns(functions, { rounds: roundCount, calls: rendersPerRound, warmup: 10 })
  return renderers.map(({ name }, at) => ({
    name,
    speed: rows.length / median(times[at]),
    relative: median(times[0].map((time, round) => time / times[at][round])),
  }))
}

function printRendering() {
  const results = Array.from({ length: 5 }, () =>
    JSON.parse(
      execFileSync(process.execPath, [process.argv[1], peersFolder, ...chosenNames, "--child"], {
        encoding: "utf8",
      }),
    ),
  )
  const getMedian = (at, key) => median(results.map((result) => result[at][key]))
  const speeds = results[0].map(({ name }, at) => ({
    name,
    speed: getMedian(at, "speed"),
    relative: getMedian(at, "relative"),
  }))
  if (chosenNames.length === 0) recordTable(speeds)
  console.log("\nrendering, million rows a second (relative to the first)")
  for (const { name, speed, relative } of speeds)
    console.log(`  ${name.padEnd(14)} ${speed.toFixed(2)}  (${relative.toFixed(2)})`)
}

function recordTable(speeds) {
  record({
    title: "Rows of a table that are rendered in a second",
    unit: "millions",
    better: "more",
    measure: "by hand",
    rows: [
      {
        row: "1,000 rows of four cells",
        values: Object.fromEntries(speeds.map(({ name, speed }) => [name, Math.round(speed * 100) / 100])),
      },
    ],
  })
}

function measureCompiling() {
  const part = read("table.tpl").replace(/^export interface[\s\S]*?^}\n/m, "")
  const source = Array.from({ length: 4 }, (_, index) => part.replaceAll("Table", `Table${index}`)).join("\n")
  const page = `import type { Row } from "./row.ts"\n${source}`
  const start = performance.now()
  for (let index = 0; index < 500; index++) compile(`// ${index}\n${page}`, `page${index}.tpl`)
  const time = performance.now() - start
  console.log(`\ncompiling 500 files of ${page.length} characters from cold: ${time.toFixed(0)} ms`)
}

if (isChild) console.log(JSON.stringify(await measureRendering()))
else {
  if (chosenNames.length === 0) measureCompiling()
  printRendering()
}
