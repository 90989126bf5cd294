/**
 * The CSS compiler, from npm packages. Like its standalone program, it resolves `@import "tailwindcss"` without a
 * package in the project. fw installs it beside its packages.
 */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)
const sheets = dirname(require.resolve("tailwindcss/package.json"))

globalThis.__tw_version = require("tailwindcss/package.json").version
globalThis.__tw_resolve = (id) => {
  const name = id === "tailwindcss" ? "index" : /^tailwindcss\/(\w+)(?:\.css)?$/.exec(id)?.[1]
  return name && ["index", "preflight", "theme", "utilities"].includes(name) ? join(sheets, `${name}.css`) : undefined
}
globalThis.__tw_readFile = (path) => (path.startsWith(sheets) ? readFile(path, "utf8") : undefined)
await import("./node_modules/@tailwindcss/cli/dist/index.mjs")
