/** The size of a hello-world worker, as README.md has it. `bench/bundle-size.mjs` compares it with others. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { flags } from "../../bin/build/flag-use.ts"
import { defines } from "../../bin/build/flags.ts"
import { root } from "../support/tsc.ts"

const hello = `import { App } from "fw"
import { serve } from "fw/workers"
const app = new App()
app.get("/", (c) => c.string(200, "hello"))
export default serve(app)
`

async function bundle(define: Record<string, string>) {
  const { outputFiles } = await build({
    stdin: { contents: hello, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd"],
    define,
    write: false,
    logLevel: "silent",
  })
  const [{ contents }] = outputFiles as [(typeof outputFiles)[0]]
  return gzipSync(contents, { level: 9 }).byteLength
}

const documented = [
  { row: "fw", define: {} },
  { row: "fw, unused parts off by flags", define: defines(flags) },
]
for (const { row, define } of documented) {
  test(`README.md has the size of the row "${row}"`, async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8")
    const [, kB] = new RegExp(`^\\| ${row} \\|[^|]*\\| ([\\d.]+) kB`, "m").exec(readme) ?? []
    const size = await bundle(define)
    assert.ok(Math.abs(Number(kB) * 1000 - size) < 500, `${size} bytes, and README.md says ${kB} kB`)
  })
}

test.run()
