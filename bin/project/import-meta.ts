/** Keeps `import.meta.url`, `dirname` and `filename` correct in bundled files. */
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import type { Plugin } from "esbuild"
import { type Edit, rewriteSources } from "./rewrite.ts"

const ownPathPattern = /\bimport\.meta\.(url|dirname|filename)\b/g

/** Returns the files that use their own path. */
export function findFilesWithMeta(inputs: readonly string[]): string[] {
  return inputs.filter((path) => /\.[cm]?[jt]sx?$/.test(path) && usesOwnPath(readFileSync(path, "utf8")))
}

/** Returns true if source code uses its own path. */
export function usesOwnPath(text: string): boolean {
  return text.search(ownPathPattern) >= 0
}

/** Returns an esbuild plugin that writes the original paths into these files. */
export function createMetaPlugin(files: readonly string[]): Plugin {
  return rewriteSources(files, (text, path) => ({ edits: createMetaEdits(text, path) }))
}

/**
 * Returns the edits that write the original path into a file: constants in its first line, and the names of these
 * constants where the file uses its path. Literals there could change strings in the file.
 */
export function createMetaEdits(text: string, path: string): Edit[] {
  const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  const constants = Object.entries(place).map(([name, value]) => `fw_meta_${name} = ${JSON.stringify(value)}`)
  const uses = [...text.matchAll(ownPathPattern)].map(({ 0: written, 1: name, index }) => {
    return { at: index, length: written.length, text: `fw_meta_${name}` }
  })
  return [{ at: 0, length: 0, text: `const ${constants.join(", ")}; ` }, ...uses]
}
