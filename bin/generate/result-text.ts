/** Formats the results of the `fw generate` commands. */
import { formatTable } from "../cli/layout.ts"
import type { View } from "../cli/terminal.ts"
import type { NewFilesResult } from "./files.ts"
import type { NewSource } from "./write-source.ts"

/** Returns a line for each written file. */
export function formatFiles({ written, overwritten }: NewFilesResult, { style }: Pick<View, "style">): string {
  const lines = written.map((file) => {
    const label = overwritten.includes(file) ? style.yellow("overwritten") : style.green("written    ")
    return `  ${label}  ${file}\n`
  })
  return lines.join("")
}

/** Returns the steps that remain: packages to install and variables to set. */
export function formatNeeds({ dependencies, environment }: NewSource, { style }: Pick<View, "style">): string {
  const install = dependencies.map(
    (name) => `  ${style.green("added      ")}  ${name} to package.json: run npm install\n`,
  )
  const rows = environment.map(({ name, about }) => [name, about])
  const variables = formatTable(rows, (cell, column) => (column === 0 ? style.cyan(cell) : cell))
  const title = environment.length > 0 ? "\nIt reads from the environment (.env in development):\n" : ""
  return install.join("") + title + variables
}
