/** Keeps `import.meta.url`, `dirname` and `filename` of a bundled file that file's own, as they are without a bundle. Used by `bundle.ts`. */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, extname } from "node:path"
import { pathToFileURL } from "node:url"
import type { Loader, Plugin } from "esbuild"

const asked = /\bimport\.meta\.(url|dirname|filename)\b/g

/** The files that ask for their own place. */
export function filesWithMeta(inputs: readonly string[]): string[] {
  return inputs.filter((path) => /\.[cm]?[jt]sx?$/.test(path) && asksForPlace(readFileSync(path, "utf8")))
}

/** Whether a source text asks for its own place. */
export function asksForPlace(text: string): boolean {
  return text.search(asked) >= 0
}

/**
 * Loads these files with their place written into them. Only these: a plugin that is asked for every file would cost
 * more than the build itself.
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

/** On the first line, so that the others keep their numbers. Names, not literals: what stands in a string stays a string. */
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
