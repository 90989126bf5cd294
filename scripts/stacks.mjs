/** Places in compiled files, as stacks name them, become those of the sources. */
import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Node would do the same with `--enable-source-maps`, but it reads every map of every module that a test imports, also
 * where nothing fails.
 *
 * @param {string} output
 * @returns {string}
 */
export function withSourcePlaces(output) {
  /** @type {Map<string, SourceMap | undefined>} */
  const maps = new Map()
  return output.replace(/((?:file:\/\/)?\/[^\s():]+\.js):(\d+):(\d+)/g, (place, name, line, column) => {
    const file = name.startsWith("file:") ? fileURLToPath(name) : name
    if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry?.originalSource) return place
    const source = resolve(dirname(file), entry.originalSource)
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

/** @param {string} file */
function readMap(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, "utf8")))
  } catch {
    return undefined
  }
}
