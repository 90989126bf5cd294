/** Preserves `import.meta.url`, `dirname` and `filename` of bundled files. */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, extname } from "node:path"
import { pathToFileURL } from "node:url"
import type { Loader, Plugin } from "esbuild"

const asked = /\bimport\.meta\.(url|dirname|filename)\b/g

/** Returns the files that use their own path. */
export function filesWithMeta(inputs: readonly string[]): string[] {
  return inputs.filter((path) => /\.[cm]?[jt]sx?$/.test(path) && asksForPlace(readFileSync(path, "utf8")))
}

/** Returns true if a source text uses its own path. */
export function asksForPlace(text: string): boolean {
  return text.search(asked) >= 0
}

/**
 * Returns a plugin that writes the paths into these files. Only these, because a plugin for every file would
 * take longer than the build itself.
 */
export function ownMeta(files: readonly string[]): Plugin {
  const filter = new RegExp(`^(?:${files.map(escaped).join("|")})$`)
  return {
    name: "fw-import-meta",
    setup(build) {
      build.onLoad({ filter, namespace: "file" }, async ({ path }) => {
        return { contents: withPlace(await readFile(path, "utf8"), path), loader: loaderOf(path) }
      })
    },
  }
}

/**
 * Adds the path to the first line, so that line numbers stay. With names, not literals, so that strings do
 * not change.
 */
function withPlace(text: string, path: string): string {
  const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  const constants = Object.entries(place).map(([name, value]) => `fw_meta_${name} = ${JSON.stringify(value)}`)
  return `const ${constants.join(", ")}; ${text.replace(asked, "fw_meta_$1")}`
}

function loaderOf(path: string): Loader {
  return extname(path).replace(/^\.[cm]?/, "") as Loader
}

function escaped(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}
