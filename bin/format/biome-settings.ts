/** Reads from the configuration of Biome how lines are formatted. */

import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { FormatterSettings } from "./line-style.ts"

type JSONObject = Readonly<Record<string, unknown>>

/** The largest number of configurations to read, because they may extend each other in a circle. */
const maxConfigurations = 20

/**
 * Returns the settings of a `biome.json` and of the configurations that it extends: files, or with `"//"` the one
 * in a parent directory. Biome indents with tabs by default.
 */
export async function readBiomeSettings(path: string): Promise<FormatterSettings> {
  const found = await readConfiguration(path, { count: 0 })
  const toNumber = (value: unknown) => (typeof value === "number" ? value : undefined)
  return {
    useTabs: (found.indentStyle ?? "tab") === "tab",
    indentWidth: toNumber(found.indentWidth),
    lineWidth: toNumber(found.lineWidth),
  }
}

async function readConfiguration(path: string, files: { count: number }): Promise<JSONObject> {
  const configuration =
    files.count++ < maxConfigurations ? parseConfiguration(await readFile(path, "utf8").catch(() => "")) : undefined
  if (!configuration) return {}
  const all = [configuration.extends ?? []].flat()
  const names = all.filter((name): name is string => typeof name === "string" && /^\.{0,2}\//.test(name))
  const bases = await Promise.all(
    names.map((name) =>
      name === "//"
        ? readNearestConfiguration(dirname(dirname(path)), files)
        : readConfiguration(join(dirname(path), name), files),
    ),
  )
  const { formatter, javascript } = configuration as Record<string, { formatter?: object }>
  return Object.assign({}, ...bases, formatter, javascript?.formatter)
}

/** Reads the nearest configuration, in a directory or a parent of it. */
async function readNearestConfiguration(directory: string, files: { count: number }): Promise<JSONObject> {
  for (const name of ["biome.json", "biome.jsonc"]) {
    const found = await readConfiguration(join(directory, name), files)
    if (Object.keys(found).length > 0) return found
  }
  return dirname(directory) === directory ? {} : readNearestConfiguration(dirname(directory), files)
}

/** Parses JSON that may have comments and trailing commas. */
function parseConfiguration(text: string): JSONObject | undefined {
  const json = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, "$1")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, "$1")
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === "object" && value !== null ? (value as JSONObject) : undefined
  } catch {
    return undefined
  }
}
