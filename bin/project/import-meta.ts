/** Preserves `import.meta.url`, `dirname` and `filename` of bundled files. */
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

/** Returns true if a source text uses its own path. */
export function usesOwnPath(text: string): boolean {
  return text.search(ownPathPattern) >= 0
}

/** Returns a plugin that writes the paths into these files. */
export function createMetaPlugin(files: readonly string[]): Plugin {
  return rewriteSources(files, (text, path) => ({ edits: createMetaEdits(text, path) }))
}

/**
 * Returns the changes that write the path into a file: constants in the first line, and their names where the file
 * uses the path. They are names and not literals, so that no string in the file changes.
 */
export function createMetaEdits(text: string, path: string): Edit[] {
  const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  const constants = Object.entries(place).map(([name, value]) => `fw_meta_${name} = ${JSON.stringify(value)}`)
  const uses = [...text.matchAll(ownPathPattern)].map(({ 0: written, 1: name, index }) => {
    return { at: index, length: written.length, text: `fw_meta_${name}` }
  })
  return [{ at: 0, length: 0, text: `const ${constants.join(", ")}; ` }, ...uses]
}
