/**
 * Tests of packages as files in an executable: they are loaded only from there, and OpenTelemetry traces them as
 * next to a bundle.
 */
import { copyFileSync, cpSync, readdirSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, type Served, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { installTools } from "../support/tools.ts"

const env = (more: Readonly<Record<string, string>> = {}) => ({
  HOME: project({}),
  FW_LOG_LEVEL: "off",
  PATH: "/nonexistent",
  ...more,
})

/** The value of a route that loads a package, and the answer. */
const loads: ReadonlyArray<readonly [value: string, answer: unknown]> = [
  // esbuild knows these names, and the files are in the executable.
  ["modern", "the default of an ES module"],
  ["named", "a name of an ES module"],
  ["old.default", "the default that an old compiler exports"],
  ["old.name", "a name that it exports"],
  ["(await import('modern')).default", "the default of an ES module"],
  ["require.resolve('modern').includes('fw-packages')", true],
  // esbuild does not know these names.
  ["pick('driver-a').kind", "a"],
  ["(await import(String('modern'))).default", "the default of an ES module"],
  ["typeof pick('node:fs').readFileSync", "function"],
  ["pick(process.env.PLUGIN)", "a file with its whole path"],
  ["own('driver-a').kind", "a"],
  // Files next to the executable are not loaded.
  ["failed(() => pick('beside'))", "MODULE_NOT_FOUND"],
  ["failed(() => pick('./beside.cjs'))", "MODULE_NOT_FOUND"],
  ["failed(() => pick.resolve('beside'))", "MODULE_NOT_FOUND"],
  ["failed(() => own('beside'))", "MODULE_NOT_FOUND"],
  ["await import('beside').catch((e) => e.code)", "MODULE_NOT_FOUND"],
  ["await import(String('beside')).catch((e) => e.code)", "MODULE_NOT_FOUND"],
]

test("an executable loads the packages that are files in it, and nothing next to it", async () => {
  const source = `import modern, { named } from "modern"
import old from "old"
import pick from "picks"
import { createRequire } from "node:module"

const own = createRequire(import.meta.url)
const failed = (load) => { try { return load() } catch (error) { return error.code } }

export const Get = async (c) => c.json(200, [${loads.map(([value]) => value).join(", ")}])
`
  const cwd = makeProject({
    "package.json": JSON.stringify({
      name: "outside",
      type: "module",
      fw: { external: ["modern", "old", "driver-a"] },
    }),
    "app/route.ts": source,
    "node_modules/modern/package.json": '{ "name": "modern", "type": "module", "exports": "./index.js" }',
    "node_modules/modern/index.js":
      "export default 'the default of an ES module'\nexport const named = 'a name of an ES module'\n",
    "node_modules/old/package.json": '{ "name": "old" }',
    "node_modules/old/index.js":
      "Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = 'the default that an old compiler exports'\nexports.name = 'a name that it exports'\n",
    "node_modules/driver-a/package.json": '{ "name": "driver-a" }',
    "node_modules/driver-a/index.js": "exports.kind = 'a'\n",
    "node_modules/picks/package.json": '{ "name": "picks" }',
    "node_modules/picks/index.js":
      "module.exports = (name) => require(name)\nmodule.exports.resolve = (name) => require.resolve(name)\n",
  })
  const { code, stdout, stderr } = await build(cwd)
  assert.is(code, 0, stdout + stderr)
  const elsewhere = realpathSync(
    project({
      "node_modules/beside/package.json": '{ "name": "beside" }',
      "node_modules/beside/index.js": "module.exports = 'from the disk'\n",
      "beside.cjs": "module.exports = 'from the disk'\n",
      "plugin.cjs": "module.exports = 'a file with its whole path'\n",
    }),
  )
  copyFileSync(join(cwd, "bin/outside"), join(elsewhere, "outside"))
  const served = await serve([join(elsewhere, "outside")], elsewhere, env({ PLUGIN: join(elsewhere, "plugin.cjs") }))
  const answers = (await (await fetch(served.url)).json()) as unknown[]
  assert.equal(
    loads.map(([value], i) => [value, answers[i]]),
    loads.map((load) => [...load]),
  )
  assert.is(await served.stop(), 0)
})

/** Telemetry that prints a line for each span, instead of sending it to a collector. */
const telemetry = `import { NodeSDK, tracing } from "@opentelemetry/sdk-node"
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg"

const exporter = {
  export(spans, done) {
    for (const { name } of spans) console.log("span", name)
    done({ code: 0 })
  },
  shutdown: async () => {},
}
const sdk = new NodeSDK({
  spanProcessors: [new tracing.SimpleSpanProcessor(exporter)],
  instrumentations: [new PgInstrumentation()],
})
sdk.start()
`
const hook = `import { register } from "node:module"
register("@opentelemetry/instrumentation/hook.mjs", import.meta.url)
`
const packages = [
  "pg",
  "@opentelemetry/sdk-node",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-pg",
]
const tools = await installTools([
  "pg@8.23.1",
  "@opentelemetry/sdk-node@0.223.0",
  "@opentelemetry/instrumentation@0.223.0",
  "@opentelemetry/instrumentation-pg@0.76.0",
])

test("queries of a built program are traced, with import in a bundle and with require in an executable", async () => {
  const cwd = makeProject({
    "package.json": '{ "name": "traced", "type": "module", "private": true }\n',
    "app/route.ts": `import pg from "pg"

const pool = new pg.Pool({ connectionString: process.env.DATABASE })

export const Get = async (c) => c.json(200, (await pool.query("select 42 as answer")).rows)
`,
    "telemetry.js": telemetry,
    "telemetry.mjs": hook + telemetry,
  })
  for (const name of readdirSync(tools)) cpSync(join(tools, name), join(cwd, "node_modules", name), { recursive: true })
  const database = await startPostgres()
  const ask = async (command: readonly [string, ...string[]]): Promise<void> => {
    const served: Served = await serve(
      command,
      project({}),
      env({ DATABASE: `postgres://postgres@127.0.0.1:${database.port}/postgres` }),
    )
    assert.equal(await (await fetch(served.url)).json(), [{ answer: 42 }])
    assert.is(await served.stop(), 0)
    assert.match(served.output(), /^span pg\.query:SELECT postgres$/m)
  }
  try {
    const args = ["--external", packages.join(",")]
    const bundle = await build(cwd, ["--target", "node", ...args])
    assert.is(bundle.code, 0, bundle.stdout + bundle.stderr)
    const place = project({})
    cpSync(join(cwd, "dist/node"), place, { recursive: true })
    copyFileSync(join(cwd, "telemetry.mjs"), join(place, "telemetry.mjs"))
    await ask([process.execPath, "--import", join(place, "telemetry.mjs"), join(place, "server.mjs")])
    write(cwd, {
      "main.ts": 'import "./telemetry.js"\nimport { App } from "fw"\n\nexport default new App()\n',
    })
    const executable = await build(cwd, args)
    assert.is(executable.code, 0, executable.stdout + executable.stderr)
    await ask([join(cwd, "bin/traced")])
  } finally {
    await database.end()
  }
})

test.run()
