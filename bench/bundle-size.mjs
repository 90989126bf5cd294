/** Sizes of a hello-world worker, minified and gzipped: fw next to Hono, h3 and itty-router. Run by hand: node bench/bundle-size.mjs. Needs a build and the npm registry. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const peers = { hono: "4.13.19", h3: "2.0.8", "itty-router": "6.0.0" }

/** The same worker in each: one route, JSON for an unknown path where that is not built in. */
const workers = {
  fw: `import { App } from "fw"
import { serve } from "fw/workers"
const app = new App()
app.get("/", (c) => c.string(200, "hello"))
export default serve(app)`,
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

const directory = mkdtempSync(join(tmpdir(), "fw-size-"))
try {
  const packages = Object.entries(peers).map(([name, version]) => `${name}@${version}`)
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages]
  execFileSync("npm", args, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] })
  symlinkSync(dirname(dirname(fileURLToPath(import.meta.url))), join(directory, "node_modules", "fw"))
  console.log("| | minified | gzipped |\n|---|---|---|")
  for (const [name, contents] of Object.entries(workers)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: directory },
      bundle: true,
      minify: true,
      format: "esm",
      target: "es2022",
      conditions: ["workerd", "worker", "browser"],
      external: ["node:*"],
      write: false,
      logLevel: "error",
    })
    const [{ contents: bytes }] = outputFiles
    const kB = (count) => `${(count / 1000).toFixed(1)} kB`
    const version = peers[name.split("/")[0]]
    console.log(
      `| ${name}${version ? ` ${version}` : ""} | ${kB(bytes.byteLength)} | ${kB(gzipSync(bytes, { level: 9 }).byteLength)} |`,
    )
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
