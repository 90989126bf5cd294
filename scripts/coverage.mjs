/**
 * Computes the line coverage of the sources from what V8 recorded during the tests, and checks it against a minimum.
 */
import { readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { listFilesBelow, root, runTool } from "./common.mjs"

/** The sources whose coverage is checked, and the least percentage of their lines that tests must run. */
const coveredSources = /^(?:(?:lib|template)\/|adapters\/(?:node|disk)[./])/
const minimumPercent = 95

/**
 * Writes coverage reports, and checks the coverage.
 *
 * @param {string} directory to which NODE_V8_COVERAGE made processes write
 * @returns {Promise<{ summary: string, problem?: string }>} `problem` names the worst files if the coverage is too low
 */
export async function reportCoverage(directory) {
  const reports = join(root, "coverage")
  const { code, output } = await runTool("c8/bin/c8.js", [
    "report",
    `--temp-directory=${directory}`,
    `--reports-dir=${reports}`,
    "--reporter=json-summary",
    "--reporter=lcovonly",
    "--extension=.ts",
    "--include=lib/**/*.ts",
    "--include=template/**/*.ts",
    "--include=adapters/node.ts",
    "--include=adapters/node/**/*.ts",
    "--include=adapters/disk/**/*.ts",
  ])
  if (code !== 0) return { summary: "no coverage", problem: `c8 failed with exit code ${code}:\n${output}` }
  const summary = JSON.parse(readFileSync(join(reports, "coverage-summary.json"), "utf8"))
  return judgeCoverage({ ...summary, ...(await findUnloadedSources(summary, root)) }, root)
}

/**
 * Returns the sources that no test loads; none of their lines ran. Modules that have only types are left out, because
 * they have no code to load.
 *
 * @param {Record<string, unknown>} summary by absolute path
 * @param {string} directory
 */
async function findUnloadedSources(summary, directory) {
  const { transform } = await import("esbuild")
  const sources = {}
  for (const file of ["lib", "template", "adapters"].flatMap((folder) =>
    listFilesBelow(join(directory, folder)).map((name) => `${folder}/${name}`),
  )) {
    const path = join(directory, file)
    if (path in summary || !file.endsWith(".ts") || !coveredSources.test(file)) continue
    const text = readFileSync(path, "utf8")
    if ((await transform(text, { loader: "ts" })).code.trim() === "") continue
    sources[path] = { lines: { total: text.split("\n").length, covered: 0, pct: 0 } }
  }
  return sources
}

/**
 * Checks a summary of coverage against the minimum. A summary without any source fails too, because it would pass
 * whatever the tests do.
 *
 * @param {Record<string, { lines: { total: number, covered: number, pct: number } }>} summary by absolute path
 * @param {string} directory to which the paths in messages are relative
 * @returns {{ summary: string, problem?: string }}
 */
export function judgeCoverage(summary, directory) {
  const files = Object.entries(summary)
    .map(([path, { lines }]) => ({ path: relative(directory, path).split(sep).join("/"), ...lines }))
    .filter(({ path }) => path !== "total" && path.endsWith(".ts") && coveredSources.test(path))
  const total = files.reduce((sum, file) => sum + file.total, 0)
  const covered = files.reduce((sum, file) => sum + file.covered, 0)
  if (total === 0) return { summary: "no coverage", problem: "The coverage report names no source of lib/." }
  const percent = (covered / total) * 100
  const line = `${percent.toFixed(1)} % of the lines of lib/, template/ and adapters/node (${files.length} files)`
  if (percent >= minimumPercent) return { summary: line }
  const worst = files.sort((a, b) => b.total - b.covered - (a.total - a.covered)).slice(0, 10)
  const list = worst.map(({ path, total, covered, pct }) => `  ${path}: ${pct} %, ${total - covered} lines not run`)
  return {
    summary: line,
    problem: `Coverage is ${line}; ${minimumPercent} % is the bound.\n${list.join("\n")}`,
  }
}
