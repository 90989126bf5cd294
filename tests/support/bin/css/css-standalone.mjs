/**
 * Builds Tailwind's command line, version 4.0.0, from npm packages with Bun into one program like the released one,
 * and prints its path.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Exact versions: those of the release where they matter, and a Bun that can compile. */
const versions = {
  "@tailwindcss/cli": "4.0.0",
  "@tailwindcss/node": "4.0.0",
  "@tailwindcss/oxide": "4.0.0",
  tailwindcss: "4.0.0",
  lightningcss: "1.29.1",
  "@parcel/watcher": "2.5.0",
  "enhanced-resolve": "5.18.0",
  jiti: "2.4.2",
  "@oven/bun-linux-x64": "1.4.5",
}

const sheets = ["index", "preflight", "theme", "utilities"]

/** The program's start. The style sheets are inside the program, under paths that exist on no disk. */
const entry = `${sheets.map((name) => `import ${name} from "tailwindcss/${name}.css" with { type: "text" }`).join("\n")}

const top = "/$embedded/tailwindcss/"
const sheets = { ${sheets.join(", ")} }
globalThis.__tw_version = ${JSON.stringify(versions.tailwindcss)}
globalThis.__tw_resolve = (id) => {
  const name = id === "tailwindcss" ? "index" : /^tailwindcss\\/(\\w+)(?:\\.css)?$/.exec(id)?.[1]
  return name && Object.hasOwn(sheets, name) ? \`\${top}\${name}.css\` : undefined
}
globalThis.__tw_readFile = async (path) =>
  path.startsWith(top) ? sheets[path.slice(top.length, -".css".length)] : undefined
await import("./node_modules/@tailwindcss/cli/dist/index.mjs")
`

/** Modules that compute which native addon they load. A compiled program needs a fixed name. */
const addons = {
  "@tailwindcss/oxide/index.js": `exports.Scanner = require("@tailwindcss/oxide-linux-x64-gnu").Scanner\n`,
  "lightningcss/node/index.js": `module.exports = { ...require("lightningcss-linux-x64-gnu"), ...require("./flags") }\n`,
  "@parcel/watcher/index.js": `module.exports = require("./wrapper").createWrapper(require("@parcel/watcher-linux-x64-glibc"))\n`,
}

const root = fileURLToPath(new URL("../../../../", import.meta.url))

/** @returns {string} the path of the program, which is only built if its sources have changed. */
function standalone() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`These tests run on linux-x64 only, this is ${process.platform}-${process.arch}.`)
  }
  const cache = join(root, "node_modules", ".cache", "fw-css")
  const hash = createHash("sha256")
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest("hex")
  const program = join(cache, hash.slice(0, 16), "tailwindcss-linux-x64")
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(join(cache, "build-"))
  try {
    build(work, "tailwindcss-linux-x64")
    mkdirSync(join(program, ".."), { recursive: true })
    renameSync(join(work, "tailwindcss-linux-x64"), program)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return program
}

/** @param {string} directory @param {string} name */
function build(directory, name) {
  const run = (/** @type {string} */ program, /** @type {string[]} */ args) =>
    execFileSync(program, args, { cwd: directory, stdio: ["ignore", 2, 2] })
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, dependencies: versions }))
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  run("npm", ["install", "--prefix", directory, ...quiet])
  for (const [file, text] of Object.entries(addons)) {
    writeFileSync(join(directory, "node_modules", file), text)
  }
  writeFileSync(join(directory, "entry.mjs"), entry)
  const bun = join(directory, "node_modules", "@oven", "bun-linux-x64", "bin", "bun")
  run(bun, ["build", "--compile", "entry.mjs", "--outfile", name])
}

console.log(standalone())
