/** Keeps the tables of a bench for `bench/performance.mjs`, which names a file for them in FW_BENCH_RECORD. */
import { appendFileSync } from "node:fs"

/**
 * A table of figures. Each row has a figure for each contender, or none.
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {string} title
 * @property {string} unit
 * @property {"less" | "more"} better
 * @property {string} [measure] the contender that is only a measure, such as code by hand
 * @property {boolean} [alone] true if all contenders are fw, so that none is the best
 * @property {{ row: string, values: Record<string, number> }[]} rows
 */

/** Adds a table to the file. @param {Table} table */
export function record(table) {
  const file = process.env.FW_BENCH_RECORD
  if (file) appendFileSync(file, `${JSON.stringify(table)}\n`)
}
