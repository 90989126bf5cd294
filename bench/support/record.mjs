/** Keeps the tables of a bench for `bench/performance.mjs`, which sets FW_BENCH_RECORD to the file for them. */
import { execFileSync } from "node:child_process"
import { appendFileSync } from "node:fs"

/**
 * A table of figures. A row has at most one figure for each contender.
 *
 * @typedef {object} Table
 * @property {string} title
 * @property {string} unit
 * @property {"less" | "more"} better
 * @property {string} [measure] the contender that is only a measure, such as code by hand
 * @property {boolean} [onlyFw] true if all contenders are fw, so that none is the best
 * @property {{ row: string, values: Record<string, number> }[]} rows
 */

/** The table of `fw dev`, whose rows come from several benches. */
export const devTable = {
  title: "Time after a save under fw dev",
  unit: "ms",
  better: "less",
  onlyFw: true,
}

/** Adds a table to the file, or rows to a table that is there. @param {Table} table */
export function record(table) {
  const file = process.env.FW_BENCH_RECORD
  if (file) appendFileSync(file, `${JSON.stringify(table)}\n`)
}

/** Returns the name of a program's version in the tables, such as `Node 20`. @param {string} program */
export function nodeVersion(program) {
  const version = execFileSync(program, ["--version"], { encoding: "utf8" })
  return `Node ${/\d+/.exec(version)?.[0]}`
}
