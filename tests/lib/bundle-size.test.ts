/** The size of a hello-world worker: a budget, with a list of what takes the bytes. `bench/bundle-size.mjs` compares it with others. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { flags } from "../../bin/build/flag-use.ts"
import { defines } from "../../bin/build/flags.ts"
import { root } from "../support/tsc.ts"

/** Bytes, minified and gzipped. It may only shrink: what a worker does not use should not come along. */
const budget = 9_000

const hello = `import { App } from "fw"
import { serve } from "fw/workers"
const app = new App()
app.get("/", (c) => c.string(200, "hello"))
export default serve(app)
`

/** Texts that must not be in it: each comes with its flag. */
const absent = [
  "lib/mount/pages",
  "lib/html",
  "lib/log/logger",
  "lib/log/error-report",
  "lib/static/static.js",
  "lib/scan",
  "lib/lifecycle",
  "vendor",
]

async function bundle(define: Record<string, string>) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: hello, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd"],
    define,
    metafile: true,
    write: false,
    logLevel: "silent",
  })
  const [{ contents }] = outputFiles as [(typeof outputFiles)[0]]
  return { contents, metafile, size: gzipSync(contents, { level: 9 }).byteLength }
}

test("a hello-world worker with all flags off stays within its budget", async () => {
  const { contents, metafile, size } = await bundle(defines(flags))
  const [{ inputs }] = Object.values(metafile.outputs) as [(typeof metafile.outputs)[string]]
  const modules = Object.entries(inputs)
    .map(([file, { bytesInOutput }]) => [file.replace("dist/", ""), bytesInOutput] as const)
    .filter(([, bytes]) => bytes > 0)
    .sort((a, b) => b[1] - a[1])
  console.log(`${size} of ${budget} bytes gzipped, ${contents.byteLength} minified:`)
  for (const [file, bytes] of modules) console.log(`${String(bytes).padStart(8)}  ${file}`)
  assert.ok(size <= budget, `${size} bytes are more than ${budget}`)
  for (const name of absent) {
    const found = modules.filter(([file]) => file.startsWith(name))
    assert.equal(found, [], `${name} is in it`)
  }
})

const documented = [
  { row: "fw", define: {} },
  { row: "fw, unused parts off by flags", define: defines(flags) },
]
for (const { row, define } of documented) {
  test(`README.md has the size of the row "${row}"`, async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const [, kB] = new RegExp(`^\\| ${row} \\|[^|]*\\| ([\\d.]+) kB`, "m").exec(readme) ?? []
    const { size } = await bundle(define)
    assert.ok(Math.abs(Number(kB) * 1000 - size) < 500, `${size} bytes, and README.md says ${kB} kB`)
  })
}

test.run()
