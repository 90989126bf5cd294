/** Reads the names in a project's stylesheets: classes and custom properties. */

import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

const styleFolders = ["styles", "static"]
const commentPattern = /\/\*[\s\S]*?\*\//g
/** Matches the selectors before a block, but not rules such as `@media`. */
const selectorText = /(?:^|[{};])\s*([^@{};][^{};]*)(?=\{)/g
const className = /\.((?:[\w-]|\\[^\n]|\P{ASCII})+)/gu
const customProperty = /(?<![\w-])(--(?:[\w-]|\P{ASCII})+)["']?\s*:/gu

/** The names in stylesheets, sorted. */
export interface StyleNames {
  readonly classes: readonly string[]
  readonly properties: readonly string[]
}

/** Caches the names in a project's stylesheets. */
export class ProjectStyles {
  readonly #root: () => string
  #names: Promise<StyleNames> | undefined

  /**
   * Creates an empty cache.
   *
   * @param root returns the directory of the project, because the editor may name it later.
   */
  constructor(root: () => string) {
    this.#root = root
  }

  /** Clears the cache, because a file has changed. */
  forget(): void {
    this.#names = undefined
  }

  /** Returns the names in the project's stylesheets. */
  read(): Promise<StyleNames> {
    this.#names ??= this.#readAll()
    return this.#names
  }

  async #readAll(): Promise<StyleNames> {
    const sheets = await Promise.all(styleFolders.map((folder) => readSheets(join(this.#root(), folder))))
    return findStyleNames(sheets.flat())
  }
}

/** Returns the names in some CSS. Custom properties may also be in the object of `style={{ … }}`. */
export function findStyleNames(sheets: readonly string[]): StyleNames {
  const texts = sheets.map((sheet) => sheet.replace(commentPattern, ""))
  return {
    classes: sortUnique(texts.flatMap(findClasses)),
    properties: sortUnique(texts.flatMap(findProperties)),
  }
}

function sortUnique(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

async function readSheets(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const sheets = entries.filter((name) => name.endsWith(".css"))
  return Promise.all(sheets.map((name) => readFile(join(folder, name), "utf8").catch(() => "")))
}

function findClasses(sheet: string): string[] {
  return [...sheet.matchAll(selectorText)].flatMap(([, text = ""]) =>
    [...text.matchAll(className)].map(([, name = ""]) => name.replace(/\\(.)/g, "$1")),
  )
}

function findProperties(sheet: string): string[] {
  return [...sheet.matchAll(customProperty)].map(([, name = ""]) => name)
}
