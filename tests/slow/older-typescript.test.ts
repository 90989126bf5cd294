/**
 * Tests of the published types in projects with an older TypeScript that check declaration files (`skipLibCheck:
 * false`).
 */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { installTools } from "../support/tools.ts"
import { root } from "../support/tsc.ts"

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), "fw-older-typescript-"))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Code that imports every entry of the package. */
const everywhere = `import { App, combine, ipRestriction, jwt, proxy } from "fw"
import { html } from "fw/html"
import { testClient } from "fw/testing"
import { serve } from "fw/workers"
const app = new App()
app.use(combine.some(ipRestriction({ allow: ["::1"] }), jwt({ secret: "x".repeat(32) })))
app.setProxy(() => proxy.continue())
app.get("/x/{id}", (next) => (c) => next(c), (c) => c.json(200, { id: c.param("id"), page: String(html\`<p>\`) }))
app.post("/x", async (c) => c.blob(200, "a/b", await c.bytes()))
app.get("/wrong/{id}", (next) => (c) => next(c), (c) => c.string(200, c.param("it"))) // must be refused
export const client = testClient(app)
export default serve(app)
`
const onNode = 'export { nodeHandler, serve } from "fw/node"\n'

const flavours: Readonly<Record<string, readonly string[]>> = {
  "NodeNext with Node's types": ["--module", "nodenext", "--lib", "es2022", "--types", "node", "main.ts", "node.ts"],
  "Bundler with a worker's library": [
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--lib",
    "es2022,webworker",
    "--typeRoots",
    "none",
    "main.ts",
  ],
}

for (const version of ["5.5", "5.6", "5.9"]) {
  test(`TypeScript ${version} accepts the types of fw, and finds wrong code`, async () => {
    const project = join(folder, version)
    mkdirSync(join(project, "node_modules"), { recursive: true })
    writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }')
    writeFileSync(join(project, "main.ts"), everywhere)
    writeFileSync(join(project, "node.ts"), onNode)
    const tools = await installTools([`typescript@~${version}.0`])
    symlinkSync(join(tools, "typescript"), join(project, "node_modules/typescript"))
    for (const name of ["@types", "undici-types"])
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name))
    symlinkSync(root, join(project, "node_modules/fw"))
    for (const [flavour, flags] of Object.entries(flavours)) {
      const options = ["--noEmit", "--strict", "--target", "es2022", "--skipLibCheck", "false", "--preserveSymlinks"]
      const tsc = join(project, "node_modules/typescript/bin/tsc")
      const { stdout } = await run(process.execPath, [tsc, ...options, ...flags], { cwd: project }).catch(
        (error) => error,
      )
      assert.equal(
        String(stdout).match(/^\S+\(\d+,\d+\): error TS\d+/gm),
        ["main.ts(10,79): error TS2345"],
        `${flavour}: ${stdout}`,
      )
    }
  })
}

test.run()
