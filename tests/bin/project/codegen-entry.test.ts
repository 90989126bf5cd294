/**
 * Tests of the generated program, bundled and run: it serves, stops gracefully, and says why it could not start.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, symlink } from "node:fs/promises"
import { createServer } from "node:net"
import { join, resolve } from "node:path"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { generateFiles } from "../../../bin/project/codegen.ts"
import { writeIfChanged } from "../../../bin/system/whole-file.ts"
import { type Files, inProject } from "../../support/lib/scan/scan-project.ts"

const route = 'export const Get = (c) => c.json(200, { id: c.param("id") })\n'
/**
 * The source of a route that says on stderr that it was requested, and answers when the program is asked to stop.
 */
const slow = `import { once } from "node:events"
export async function Get(c) {
  console.error("asked")
  await once(process, "SIGTERM")
  await new Promise(setImmediate)
  return c.json(200, "late")
}
`
/** The source of a route that says on stderr that it was requested, and never answers. */
const stuck = 'export const Get = () => new Promise(() => console.error("asked"))\n'
/** The source of an app that says where it listens. */
const main = `import { App } from "fw"
const app = new App({ logger: false })
const listen = app.listen.bind(app)
app.listen = async (...args) => { await listen(...args); console.error("at " + app.addr) }
export default app
`

/** A running program. `text` is what it has written to stderr. */
class Program {
  readonly child: ChildProcess
  readonly exit: Promise<unknown[]>
  text = ""

  constructor(file: string, cwd: string, env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [file], {
      cwd,
      env: { PATH: process.env.PATH, PORT: "0", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    })
    this.exit = once(this.child, "exit")
    this.child.stderr?.on("data", (data) => {
      this.text += data
    })
  }

  async said(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.text)
      if (found) return found[1] ?? found[0]
      const data = once(this.child.stderr as NonNullable<ChildProcess["stderr"]>, "data")
      if ((await Promise.race([data, this.exit.then(() => null)])) === null)
        throw new Error(`the program ended: ${this.text}`)
    }
  }

  /** Returns the port on which the program listens. */
  port(): Promise<string> {
    return this.said(/at .*:(\d+)/)
  }
}

/** Generates, bundles and starts a project. */
async function inProgram(files: Files, use: (program: Program) => Promise<void>, env = {}): Promise<void> {
  await inProject(files, async (root) => {
    const tree = await scanDirectory(root, "app")
    const options = { main: "main.ts" in files ? "main.ts" : null }
    for (const { file, text } of generateFiles(tree, options)) await writeIfChanged({ root, path: file }, text)
    await mkdir(join(root, "node_modules"))
    await symlink(resolve("."), join(root, "node_modules/fw"), "dir")
    const outfile = join(root, "out.mjs")
    const entryPoints = [join(root, ".fw/entry.node.ts")]
    await build({ entryPoints, bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" })
    const program = new Program(outfile, root, env)
    try {
      await use(program)
    } finally {
      program.child.kill("SIGKILL")
    }
  })
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`the program serves its routes, and ${signal} ends the program with exit code 0`, async () => {
    await inProgram({ "main.ts": main, "app/users/[id]/route.ts": route }, async (program) => {
      const response = await fetch(`http://127.0.0.1:${await program.port()}/users/7`)
      assert.equal(await response.json(), { id: "7" })
      program.child.kill(signal)
      assert.equal(await program.exit, [0, null])
    })
  })
}

const hosts: ReadonlyArray<readonly [host: string, address: RegExp]> = [
  ["127.0.0.1", /at 127\.0\.0\.1:\d+/],
  ["::1", /at \[::1\]:\d+/],
  ["", /at (?:\[::\]|0\.0\.0\.0):\d+/],
]

for (const [HOST, address] of hosts) {
  test(`HOST=${HOST} decides which interface the program listens on`, async () => {
    const files = { "main.ts": main, "app/route.ts": route }
    await inProgram(files, async (program) => assert.ok(await program.said(address)), { HOST })
  })
}

test("a running request is answered before the program ends", async () => {
  await inProgram({ "main.ts": main, "app/route.ts": slow }, async (program) => {
    const response = fetch(`http://127.0.0.1:${await program.port()}/`)
    await program.said(/asked/)
    program.child.kill("SIGTERM")
    assert.is(await (await response).json(), "late")
    assert.equal(await program.exit, [0, null])
  })
})

test("a second signal ends the program at once", async () => {
  const reporting = main.replace(
    "export default",
    'process.on("SIGTERM", () => console.error("signal"))\nexport default',
  )
  await inProgram({ "main.ts": reporting, "app/route.ts": stuck }, async (program) => {
    const response = fetch(`http://127.0.0.1:${await program.port()}/`).catch(() => "cut")
    await program.said(/asked/)
    program.child.kill("SIGTERM")
    await program.said(/signal/)
    program.child.kill("SIGTERM")
    assert.equal(await program.exit, [143, null])
    assert.is(await response, "cut")
  })
})

const failures: ReadonlyArray<[what: string, files: Files, env: Record<string, string>, error: RegExp]> = [
  [
    "main.ts throws a FwError",
    {
      "main.ts": 'import { App } from "fw"\nexport default new App({ appDirectory: "x" } as object)\n',
      "app/route.ts": route,
    },
    {},
    /^.*appDirectory.*\n {2}.*\n$/,
  ],
  [
    "a route file throws while it loads",
    { "app/route.ts": `${route}throw new TypeError("no database")\n` },
    {},
    /^TypeError: no database\n {4}at /,
  ],
  ["PORT is not a port", { "app/route.ts": route }, { PORT: "x" }, /^.*PORT.*\n {2}.*\n$/],
  [
    "HOST is not an address of this machine",
    { "app/route.ts": route },
    { HOST: "192.0.2.1" },
    /^cannot listen on 192\.0\.2\.1:0.*\n {2}.*HOST.*\n$/,
  ],
]

for (const [what, files, env, error] of failures) {
  test(`the program prints the reason and exits with 1 if ${what}`, async () => {
    await inProgram(
      files,
      async (program) => {
        assert.equal(await program.exit, [1, null])
        assert.match(program.text, error)
      },
      env,
    )
  })
}

test("the program prints the reason and exits with 1 if the port is in use", async () => {
  const taken = createServer().listen(0).unref()
  await once(taken, "listening")
  const { port } = taken.address() as { port: number }
  await inProgram(
    { "app/route.ts": route },
    async (program) => {
      assert.equal(await program.exit, [1, null])
      assert.match(program.text, new RegExp(`^.*:${port} is in use.*\n  .*\n$`))
    },
    { PORT: String(port) },
  )
  taken.close()
})

test.run()
