/** Reads the form of lines from the configuration of Biome. */

import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Settings } from "./config.ts"

type JSONObject = Readonly<Record<string, unknown>>

/** Most configurations to read, because they may extend each other in a circle. */
const most = 20

/**
 * Returns the settings of a `biome.json` and of those that it extends: files, and with `"//"` that of a directory above.
 * Biome's own default is tabs.
 */
export async function biomeSettings(path: string): Promise<Settings> {
  const found = await read(path, { count: 0 })
  const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined)
  return {
    useTabs: (found.indentStyle ?? "tab") === "tab",
    indentWidth: numberOf(found.indentWidth),
    lineWidth: numberOf(found.lineWidth),
  }
}

async function read(path: string, files: { count: number }): Promise<JSONObject> {
  const configuration = files.count++ < most ? parse(await readFile(path, "utf8").catch(() => "")) : undefined
  if (!configuration) return {}
  const all = [configuration.extends ?? []].flat()
  const names = all.filter((name): name is string => typeof name === "string" && /^\.{0,2}\//.test(name))
  const bases = await Promise.all(
    names.map((name) =>
      name === "//" ? above(dirname(dirname(path)), files) : read(join(dirname(path), name), files),
    ),
  )
  const { formatter, javascript } = configuration as Record<string, { formatter?: object }>
  return Object.assign({}, ...bases, formatter, javascript?.formatter)
}

/** Reads the nearest configuration in a directory or above it. */
async function above(directory: string, files: { count: number }): Promise<JSONObject> {
  for (const name of ["biome.json", "biome.jsonc"]) {
    const found = await read(join(directory, name), files)
    if (Object.keys(found).length > 0) return found
  }
  return dirname(directory) === directory ? {} : above(dirname(directory), files)
}

/** Parses JSON with comments and trailing commas. */
function parse(text: string): JSONObject | undefined {
  const bare = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1")
  try {
    const value: unknown = JSON.parse(bare)
    return typeof value === "object" && value !== null ? (value as JSONObject) : undefined
  } catch {
    return undefined
  }
}
