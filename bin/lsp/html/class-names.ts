/** The class names in a project's stylesheets. */

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

const folders = ["styles", "static"]
const comments = /\/\*[\s\S]*?\*\//g
/** The text before a block that is not a rule such as `@media`. */
const selector = /(?:^|[{};])\s*([^@{};][^{};]*)(?=\{)/g
const className = /\.((?:[\w-]|\\[^\n]|\P{ASCII})+)/gu

/** Reads the class names of all stylesheets. */
export async function classNamesOf(root: string): Promise<string[]> {
  const lists = await Promise.all(folders.map((folder) => sheetsIn(join(root, folder))))
  return [...new Set(lists.flat().flatMap(namesIn))].sort()
}

async function sheetsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const sheets = entries.filter((name) => name.endsWith(".css"))
  return Promise.all(sheets.map((name) => readFile(join(folder, name), "utf8").catch(() => "")))
}

function namesIn(sheet: string): string[] {
  const selectors = [...sheet.replace(comments, "").matchAll(selector)]
  return selectors.flatMap(([, text = ""]) =>
    [...text.matchAll(className)].map(([, name = ""]) => name.replace(/\\(.)/g, "$1")),
  )
}
