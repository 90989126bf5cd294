/** The esbuild plugin that keeps large JSON files as text in a bundle. */

import { readFileSync } from "node:fs"
import type { Plugin } from "esbuild"

/**
 * From this many characters on, a text for `JSON.parse()` costs less than an object literal (V8, "The cost of
 * JavaScript in 2019"). Of a smaller file, such as a package.json, esbuild leaves out what is not imported.
 */
const minimum = 10_000

/**
 * Makes a large JSON file a text that is parsed when the program loads the file. Node reads a bundle whole, and would
 * keep about 30 bytes of memory for each byte of an object literal, also of one that no request needs: the
 * descriptions of services in a driver have many megabytes.
 */
export const jsonPlugin: Plugin = {
  name: "fw-json",
  setup(build) {
    build.onLoad({ filter: /\.json$/, namespace: "file" }, ({ path, with: { type = "json" } }) => {
      const text = readFileSync(path, "utf8")
      if (type !== "json" || text.length < minimum) return undefined
      try {
        return {
          contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))})`,
          loader: "js",
        }
      } catch {
        // esbuild reports the place of the mistake.
        return undefined
      }
    })
  },
}
