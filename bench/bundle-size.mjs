/**
 * Measures the size of a hello-world worker, minified and gzipped: fw, Hono, h3 and itty-router bundled by esbuild, and fw
 * by webpack and rollup as well. fw is bundled once with all its optional parts and once without them.
 *
 *     node bench/bundle-size.mjs
 *
 * It needs a build of fw and the npm registry.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { frameworkParts } from "../bin/system/framework-files.ts"
import { record } from "./support/record.mjs"

const peers = { hono: "4.13.19", h3: "2.0.8", "itty-router": "6.0.0" }
const bundlers = {
  webpack: "5",
  rollup: "4",
  terser: "5",
  "@rollup/plugin-node-resolve": "16",
}

/** Returns the source of a worker of fw. `logger` is false where the request logger is left out of the bundle. */
const createWorkerSource = (logger) => `import { App } from "fw"
import { serve } from "fw/workers"
const app = new App({ logger: ${logger} })
app.get("/", (c) => c.string(200, "hello"))
export default serve(app)`

/**
 * The source of the same worker for each other framework. Where a framework does not answer unknown paths with JSON,
 * the worker does it.
 */
const peerSources = {
  hono: `import { Hono } from "hono"
const app = new Hono()
app.get("/", (c) => c.text("hello"))
export default app`,
  "hono/tiny": `import { Hono } from "hono/tiny"
const app = new Hono()
app.get("/", (c) => c.text("hello"))
export default app`,
  h3: `import { H3 } from "h3"
const app = new H3()
app.get("/", () => "hello")
export default { fetch: (request) => app.fetch(request) }`,
  "itty-router": `import { AutoRouter } from "itty-router"
const router = AutoRouter()
router.get("/", () => "hello")
export default { ...router }`,
}

const conditions = ["workerd", "worker", "browser"]
/** The conditions that leave all optional parts out of the bundle. */
const conditionsWithoutParts = frameworkParts.map((part) => `fw-without-${part}`)

async function bundleByEsbuild(directory, contents, extraConditions = []) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: directory },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    conditions: [...conditions, ...extraConditions],
    external: ["node:*"],
    write: false,
    logLevel: "error",
  })
  return outputFiles[0].contents
}

async function bundleByWebpack(directory, entry, extraConditions = []) {
  const { default: webpack } = await load(directory, "webpack")
  const outputs = { path: join(directory, "webpack"), filename: "worker.js", library: { type: "module" } }
  const compiler = webpack({
    mode: "production",
    context: directory,
    entry,
    target: ["web", "es2022"],
    experiments: { outputModule: true },
    output: outputs,
    resolve: { conditionNames: [...conditions, ...extraConditions, "import", "default"] },
    externals: [/^node:/],
  })
  const stats = await promisify(compiler.run.bind(compiler))()
  if (stats.hasErrors()) throw new Error(stats.toString("errors-only"))
  return readFileSync(join(outputs.path, outputs.filename))
}

async function bundleByRollup(directory, entry, extraConditions = []) {
  const { rollup } = await load(directory, "rollup")
  const { minify } = await load(directory, "terser")
  const { default: resolve } = await load(directory, "@rollup/plugin-node-resolve")
  const bundle = await rollup({
    input: entry,
    external: /^node:/,
    plugins: [resolve({ exportConditions: [...conditions, ...extraConditions], browser: true })],
    onwarn() {},
  })
  const { output } = await bundle.generate({ format: "es", inlineDynamicImports: true })
  const { code } = await minify(output[0].code, { module: true, ecma: 2020 })
  return Buffer.from(code)
}

/** Loads a package that was installed in the temporary directory. */
function load(directory, name) {
  const require = createRequire(join(directory, "package.json"))
  return import(pathToFileURL(require.resolve(name)).href)
}

const sizes = {}

function printRow(name, bytes) {
  const kB = (count) => `${(count / 1000).toFixed(1)} kB`
  const gzippedBytes = gzipSync(bytes, { level: 9 }).byteLength
  sizes[name] = Math.round(gzippedBytes / 100) / 10
  console.log(`| ${name} | ${kB(bytes.byteLength)} | ${kB(gzippedBytes)} |`)
}

const directory = mkdtempSync(join(tmpdir(), "fw-size-"))
try {
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
  const packages = Object.entries({ ...peers, ...bundlers }).map(([name, version]) => `${name}@${version}`)
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages]
  execFileSync("npm", args, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] })
  symlinkSync(dirname(dirname(fileURLToPath(import.meta.url))), join(directory, "node_modules", "fw"))
  const entry = join(directory, "hello.js")
  const smallEntry = join(directory, "small.js")
  writeFileSync(entry, createWorkerSource("true"))
  writeFileSync(smallEntry, createWorkerSource("false"))
  console.log("| | minified | gzipped |\n|---|---|---|")
  printRow("fw", await bundleByEsbuild(directory, createWorkerSource("true")))
  printRow(
    "fw without its parts",
    await bundleByEsbuild(directory, createWorkerSource("false"), conditionsWithoutParts),
  )
  for (const [name, contents] of Object.entries(peerSources)) {
    const version = peers[name.split("/")[0]]
    printRow(`${name} ${version}`, await bundleByEsbuild(directory, contents))
  }
  record({
    id: "size",
    title: "Size of a worker that says hello, gzipped",
    unit: "kB",
    better: "less",
    rows: [{ row: "hello", values: { ...sizes } }],
  })
  console.log("\n| fw by | minified | gzipped |\n|---|---|---|")
  printRow("webpack", await bundleByWebpack(directory, entry))
  printRow("webpack, without parts", await bundleByWebpack(directory, smallEntry, conditionsWithoutParts))
  printRow("rollup and terser", await bundleByRollup(directory, entry))
  printRow("rollup and terser, without parts", await bundleByRollup(directory, smallEntry, conditionsWithoutParts))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
