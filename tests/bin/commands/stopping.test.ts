/** Commands that run until they are stopped: how Ctrl-C and SIGTERM end them, and when `fw dev` says that it is ready. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, program } from "../../support/bin/cli/command.ts"
import { makeProject, route, startDev } from "../../support/bin/dev/dev-project.ts"

/** Stands in for the CSS compiler: fails for styles that say so, and with `--watch` runs until its input ends. */
const compiler = `import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
const value = (flag) => process.argv[process.argv.indexOf(flag) + 1]
const text = readFileSync(value("--input"), "utf8")
if (text.includes("broken")) {
  console.error("Error: Cannot apply unknown utility class: broken")
  process.exit(1)
}
mkdirSync(dirname(value("--output")), { recursive: true })
writeFileSync(value("--output"), text)
console.error("Done in 1ms")
if (process.argv.includes("--watch")) process.stdin.resume().once("end", () => process.exit(0))
`
const files = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "app/api/hello/route.ts": route("hello"),
  "styles/input.css": "a { color: red }\n",
  "compiler.mjs": compiler,
}
const env = { FW_CSS_BINARY: "compiler.mjs" }

const stopping = suite("stopping")

/** Starts a command, and waits until it says or answers something. */
async function start(argv: readonly string[], ready: RegExp, typed = ""): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: makeProject(files),
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  })
  child.stdin.write(typed)
  let text = ""
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
        if (ready.test(text)) resolve()
      })
    child.once("close", () => reject(new Error(text)))
  })
  return child
}

const hello = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
})}\n`

const commands: ReadonlyArray<readonly [argv: readonly string[], ready: RegExp, typed?: string]> = [
  [["dev", "--port", "0"], /Local: /],
  [["css", "watch"], /built/],
  [["openapi", "serve", "--port", "0"], /Explorer: /],
  [["mcp", "serve"], /serverInfo/, hello],
]
for (const [argv, ready, typed] of commands) {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 0],
  ] as const) {
    stopping(`fw ${argv.join(" ")}: ${signal} is exit code ${code}`, async () => {
      const child = await start(argv, ready, typed)
      const ended = once(child, "close")
      child.kill(signal)
      assert.is((await ended)[0], code)
    })
  }
}

stopping.run()

const ready = suite("fw dev: ready")

ready("when the styles are there, also in a project that has none compiled yet", async () => {
  const root = makeProject(files)
  const dev = startDev(root, ["--port", "0"], env)
  await dev.port()
  assert.ok(existsSync(join(root, "static/css/output.css")))
  await dev.stop()
})

ready("when the styles do not compile, which is said once, at their place", async () => {
  const root = makeProject({
    ...files,
    "styles/input.css": "a {\n  @apply broken;\n}\n",
    "app/page.tpl": "template Page() {\n}\n",
  })
  const dev = startDev(root, ["--port", "0"], env)
  const port = await dev.port()
  assert.is((await fetch(`http://localhost:${port}/api/hello`)).status, 200)
  await dev.stop()
  assert.is(dev.output.split("do not compile").length, 2, dev.output)
  assert.match(dev.output, /^styles\/input\.css:2:10: the styles do not compile: Cannot apply/m)
})

ready.run()

const built = suite("fw build: a main file that listens")

built("is a warning, with its place", async () => {
  const main = 'import { App } from "fw"\nconst app = new App()\nawait app.listen()\nexport default app\n'
  const cwd = makeProject({ "main.ts": main, "app/api/hello/route.ts": route("hello") })
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: { HOME: cwd } })
  assert.is(code, 0, stderr)
  assert.match(
    stderr,
    /warning: the main file calls listen\(\), .*\n +main\.ts:3:11\n[\s\S]*Remove the call of listen\(\)\./,
  )
})

built.run()
