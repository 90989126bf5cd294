/** The names in a project's stylesheets: classes and custom properties. */

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

const folders = ["styles", "static"]
const comments = /\/\*[\s\S]*?\*\//g
/** The text before a block that is not a rule such as `@media`. */
const selector = /(?:^|[{};])\s*([^@{};][^{};]*)(?=\{)/g
const className = /\.((?:[\w-]|\\[^\n]|\P{ASCII})+)/gu
const customProperty = /(?<![\w-])(--(?:[\w-]|\P{ASCII})+)["']?\s*:/gu

/** Names of stylesheets, sorted. */
export interface StyleNames {
  readonly classes: readonly string[]
  readonly properties: readonly string[]
}

/** Keeps the names of a project's stylesheets. */
export class ProjectStyles {
  readonly #root: () => string
  #known: Promise<StyleNames> | undefined

  /** Creates it. `root` returns the directory of the project, which the editor may name later. */
  constructor(root: () => string) {
    this.#root = root
  }

  /** Forgets what was read, because a file has changed. */
  changed(): void {
    this.#known = undefined
  }

  /** Returns the names in the stylesheets of the project. */
  read(): Promise<StyleNames> {
    this.#known ??= this.#readAll()
    return this.#known
  }

  async #readAll(): Promise<StyleNames> {
    const sheets = await Promise.all(folders.map((folder) => sheetsIn(join(this.#root(), folder))))
    return namesIn(sheets.flat())
  }
}

/** Returns the names in some CSS. Custom properties are also found in the object of `style={{ … }}`. */
export function namesIn(sheets: readonly string[]): StyleNames {
  const texts = sheets.map((sheet) => sheet.replace(comments, ""))
  return { classes: sorted(texts.flatMap(classesOf)), properties: sorted(texts.flatMap(propertiesOf)) }
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

async function sheetsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const sheets = entries.filter((name) => name.endsWith(".css"))
  return Promise.all(sheets.map((name) => readFile(join(folder, name), "utf8").catch(() => "")))
}

function classesOf(sheet: string): string[] {
  return [...sheet.matchAll(selector)].flatMap(([, text = ""]) =>
    [...text.matchAll(className)].map(([, name = ""]) => name.replace(/\\(.)/g, "$1")),
  )
}

function propertiesOf(sheet: string): string[] {
  return [...sheet.matchAll(customProperty)].map(([, name = ""]) => name)
}
