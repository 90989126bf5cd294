/**
 * Writes the tables of docs/performance.md and its charts from the figures in bench/results.json, which
 * `node bench/performance.mjs` writes. Run it after that, or after a change of the page: `node scripts/performance.mjs`.
 * A test checks that the page and the charts are current.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMain, root, runScript, ScriptError } from "./common.mjs"

const page = "docs/performance.md"
const charts = "docs/pictures/performance"

/**
 * The files that belong to the figures: the page with its tables, and the charts.
 *
 * @returns {Map<string, string>} texts by path
 */
export function performanceFiles() {
  const results = JSON.parse(readFileSync(join(root, "bench/results.json"), "utf8"))
  const files = new Map()
  const shown = new Set()
  const text = readFileSync(join(root, page), "utf8").replaceAll(
    /<!-- (table|machine)(?: ([\w-]+))? -->\n[\s\S]*?<!-- end -->/g,
    (_, kind, id) => {
      const begin = `<!-- ${kind}${id ? ` ${id}` : ""} -->`
      if (kind === "machine") return `${begin}\n${machine(results)}\n<!-- end -->`
      const table = results.tables.find((one) => one.id === id)
      if (!table) throw new ScriptError(`bench/results.json has no table ${id}.`)
      shown.add(id)
      files.set(`${charts}/${id}.svg`, chart(table))
      return `${begin}\n${picture(table)}\n\n${markdown(table)}${measured(table, results)}\n<!-- end -->`
    },
  )
  const missing = results.tables.filter(({ id }) => !shown.has(id)).map(({ id }) => id)
  if (missing.length > 0) throw new ScriptError(`${page} does not show the tables ${missing.join(", ")}.`)
  return files.set(page, text)
}

/** The contenders of a table, in their order. */
function contendersOf({ rows }) {
  return [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
}

/** A figure with three digits that count. */
function figure(value) {
  if (value === undefined) return ""
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return Number(value.toFixed(digits)).toLocaleString("en-US", { minimumFractionDigits: digits })
}

/** The best contender of a row that does the same work: what is by hand is only the measure. */
function bestOf({ better, measure, onlyFw = false }, values) {
  if (onlyFw) return undefined
  const sorted = Object.entries(values)
    .filter(([name]) => name !== measure && !name.includes("only checks"))
    .sort(([, a], [, b]) => (better === "less" ? a - b : b - a))
  return sorted[0]?.[0]
}

function markdown(table) {
  const names = contendersOf(table)
  const lines = table.rows.map(({ row, values }) => {
    const best = bestOf(table, values)
    const cells = names.map((name) => (name === best ? `**${figure(values[name])}**` : figure(values[name])))
    return `| ${row} | ${cells.join(" | ")} |`
  })
  return [
    `| ${table.unit} | ${names.join(" | ")} |`,
    `|---|${names.map(() => "--:|").join("")}`,
    ...lines,
  ].join("\n")
}

function picture({ id, title, unit, better }) {
  const text = `${title}, ${unit}, ${better} is better`
  return `<img src="pictures/performance/${id}.svg" width="720" alt="${text}: the figures are in the table below">`
}

/** Says when and on what a table was measured that is not of the run of the others. */
function measured({ date, processor }, results) {
  if (date === undefined || (date === results.date && processor === results.machine.processor)) return ""
  return `\n\nMeasured on ${date}, ${processor}.`
}

function machine({ date, isShort, machine: { processor, cores, memory, system }, runtimes, peers }) {
  const list = Object.entries(peers).map(([name, version]) => `${name} ${version}`)
  const { bun, deno, ...nodes } = runtimes
  return [
    `- measured on ${date}${isShort ? " (a short run, which is less exact)" : ""}, ${processor}, ${cores} cores, ${memory}, ${system}`,
    `- Node ${Object.values(nodes)
      .map((version) => version.replace("v", ""))
      .join(", ")}, Bun ${bun}, ${deno.replace("deno", "Deno").replace(/ \(.*/, "")}`,
    `- ${list.join(", ")}`,
  ].join("\n")
}

const light = { paper: "#fff", text: "#1f2328", faint: "#59636e", own: "#0969da", other: "#afb8c1" }
const dark = { paper: "#0d1117", text: "#f0f6fc", faint: "#9198a1", own: "#4493f8", other: "#59636e" }

/** One picture for both themes. It has a background of its own, so a page of the other theme can show it too. */
const style = `text{font:12px system-ui,sans-serif}.t,.r{font-weight:600}.t{font-size:14px}.n{text-anchor:end}.o{font-weight:600}${colored(light)}@media(prefers-color-scheme:dark){${colored(dark)}}`

function colored({ paper, text, faint, own, other }) {
  return `svg{background:${paper}}text{fill:${faint}}.t,.r{fill:${text}}.o,.b{fill:${own}}rect:not(.b){fill:${other}}`
}

/** Bars from the left, a group for each row of the table. Each row has its own scale: the longest bar is its greatest figure. */
function chart(table) {
  const left = 170
  const most = 420
  const parts = []
  let y = 34
  for (const { row, values } of table.rows) {
    const greatest = Math.max(...Object.values(values))
    parts.push(`<text y="${y}" class="r">${escaped(row)}</text>`)
    y += 8
    for (const [name, value] of Object.entries(values)) {
      const width = Math.max(1, Math.round((value / greatest) * most))
      const own = /^fw\b/.test(name)
      parts.push(
        `<text x="${left - 8}" y="${y + 11}" class="n${own ? " o" : ""}">${escaped(name)}</text>`,
        `<rect x="${left}" y="${y + 2}" width="${width}" height="11"${own ? ' class="b"' : ""}/>`,
        `<text x="${left + width + 6}" y="${y + 11}" class="v">${figure(value)}</text>`,
      )
      y += 17
    }
    y += 22
  }
  const head = `${table.title} (${table.unit}, ${table.better} is better)`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -10 744 ${y + 4}" role="img"><title>${escaped(head)}</title><style>${style}</style><text y="14" class="t">${escaped(head)}</text>
${parts.join("\n")}
</svg>
`
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
}

async function write() {
  mkdirSync(join(root, charts), { recursive: true })
  for (const [path, text] of performanceFiles()) writeFileSync(join(root, path), text)
}

if (isMain(import.meta.url)) await runScript(write)
