/** Links the imports in a template to their files. */

import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { OpenTemplate } from "../feature.ts"

/** Matches a relative specifier after `from` or `import`. */
const importSpecifier = /(?<![\w$.])(?:from|import)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]*)\1/g

/**
 * Returns links to the files that exist (LSP 3.17, DocumentLink). A link to a compiled module leads to its
 * template.
 */
export async function findImportLinks({ path, text, template }: OpenTemplate): Promise<object[]> {
  const { bodies } = template.shadow
  const found = [...text.value.matchAll(importSpecifier)].map(async ({ 0: whole, 2: name = "", index }) => {
    if (bodies.some(({ start, end }) => start <= index && index <= end)) return []
    const end = index + whole.lastIndexOf(name) + name.length
    const file = await findFile(join(dirname(path), name))
    return file ? [{ range: text.toRange(end - name.length, end), target: pathToFileURL(file).href }] : []
  })
  return (await Promise.all(found)).flat()
}

async function findFile(path: string): Promise<string | undefined> {
  const names = [path.replace(/(?<=\.tpl)\.ts$/, ""), path, path.replace(/\.js$/, ".ts")]
  for (const name of names) if ((await stat(name).catch(() => undefined))?.isFile()) return name
  return undefined
}
