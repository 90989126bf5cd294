/** The esbuild plugin that keeps large JSON files as text in a bundle, because objects would need more memory. */

import { readFileSync } from "node:fs"
import type { Plugin } from "esbuild"

/**
 * JSON files with fewer characters become object literals, from which esbuild removes what is not imported. For
 * longer ones, `JSON.parse()` of a text is faster (V8, "The cost of JavaScript in 2019").
 */
const minTextLength = 10_000

/**
 * Makes a large JSON file a text, which is parsed when the program first imports the file. Node reads a whole
 * bundle when it starts, and an object literal would need about 30 bytes of memory per byte, even if no request
 * uses it: the service descriptions in some drivers have many megabytes.
 */
export const jsonPlugin: Plugin = {
  name: "fw-json",
  setup(build) {
    build.onLoad({ filter: /\.json$/, namespace: "file" }, ({ path, with: { type = "json" } }) => {
      const text = readFileSync(path, "utf8")
      if (type !== "json" || text.length < minTextLength) return undefined
      try {
        return {
          contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))})`,
          loader: "js",
        }
      } catch {
        // esbuild parses the file again and reports where the mistake is.
        return undefined
      }
    })
  },
}
