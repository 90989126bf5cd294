/** Writes tables of figures and their charts into `docs/performance.md`, each between the comments with its name. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const docs = join(import.meta.dirname, "../../docs")
const page = join(docs, "performance.md")

/** Replaces a table of the page and its chart. @param {import("./record.mjs").Table} table */
export function writeTable(name, table, measured) {
  const file = `pictures/performance/${name}.svg`
  const alt = `${getTitle(table)}: the figures are in the table below`
  const picture = `<img src="${file}" width="720" alt="${alt}">`
  replace(`table ${name}`, [picture, toMarkdown(table), measured].join("\n\n"))
  writeFileSync(join(docs, file), drawChart(table))
}

/** Replaces the list of the versions that were compared. @param {readonly string[]} versions */
export function writeVersions(versions) {
  replace("versions", `${versions.join(", ")}.`)
}

function replace(sectionName, text) {
  const markdown = readFileSync(page, "utf8")
  const pattern = new RegExp(`(<!-- ${sectionName} -->\n)[^]*?(<!-- end -->)`)
  if (!pattern.test(markdown)) throw new Error(`docs/performance.md has no place "<!-- ${sectionName} -->"`)
  writeFileSync(
    page,
    markdown.replace(pattern, (_, begin, end) => `${begin}${text}\n${end}`),
  )
}

/** Returns a table as Markdown. The best figure of each row is bold. */
export function toMarkdown(table) {
  const names = [...new Set(table.rows.flatMap(({ values }) => Object.keys(values)))]
  const lines = table.rows.map(({ row, values }) => {
    const best = findBest(table, values)
    const cells = names.map((name) => (name === best ? `**${format(values[name])}**` : format(values[name])))
    return `| ${row} | ${cells.join(" | ")} |`
  })
  return [`| ${table.unit} | ${names.join(" | ")} |`, `|---|${names.map(() => "--:|").join("")}`, ...lines].join("\n")
}

/**
 * Finds the contender with the best figure. Code by hand, and contenders that do less than the others, are only there
 * to compare with.
 */
function findBest({ better, measure, onlyFw = false }, values) {
  if (onlyFw) return undefined
  const names = Object.keys(values).filter((name) => name !== measure && !/^bare\b|only checks/.test(name))
  const sign = better === "less" ? 1 : -1
  return names.toSorted((a, b) => sign * (values[a] - values[b]))[0]
}

/** Returns a figure with three significant digits. */
function format(value) {
  if (value === undefined) return ""
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return Number(value.toFixed(digits)).toLocaleString("en-US", { minimumFractionDigits: digits })
}

function getTitle({ title, unit, better }) {
  return `${title} (${unit}, ${better} is better)`
}

const light = { paper: "#fff", text: "#1f2328", faint: "#59636e", own: "#0969da", other: "#afb8c1" }
const dark = { paper: "#0d1117", text: "#f0f6fc", faint: "#9198a1", own: "#4493f8", other: "#59636e" }
const style = `text{font:12px system-ui,sans-serif}.t,.r{font-weight:600}.t{font-size:14px}.n{text-anchor:end}.o{font-weight:600}${colors(light)}@media(prefers-color-scheme:dark){${colors(dark)}}`

function colors({ paper, text, faint, own, other }) {
  return `svg{background:${paper}}text{fill:${faint}}.t,.r{fill:${text}}.o,.b{fill:${own}}rect:not(.b){fill:${other}}`
}

/**
 * Returns a bar chart with a group of bars for each row of the table. The greatest figure of a row has the longest bar.
 */
function drawChart(table) {
  const left = 170
  const longest = 420
  const parts = []
  let y = 34
  for (const { row, values } of table.rows) {
    const greatest = Math.max(...Object.values(values))
    parts.push(`<text y="${y}" class="r">${escapeXml(row)}</text>`)
    y += 8
    for (const [name, value] of Object.entries(values)) {
      const width = Math.max(1, Math.round((value / greatest) * longest))
      const isFw = /^fw\b/.test(name)
      parts.push(
        `<text x="${left - 8}" y="${y + 11}" class="n${isFw ? " o" : ""}">${escapeXml(name)}</text>`,
        `<rect x="${left}" y="${y + 2}" width="${width}" height="11"${isFw ? ' class="b"' : ""}/>`,
        `<text x="${left + width + 6}" y="${y + 11}" class="v">${format(value)}</text>`,
      )
      y += 17
    }
    y += 22
  }
  const title = escapeXml(getTitle(table))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -10 744 ${y + 4}" role="img"><title>${title}</title><style>${style}</style><text y="14" class="t">${title}</text>
${parts.join("\n")}
</svg>
`
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
}
