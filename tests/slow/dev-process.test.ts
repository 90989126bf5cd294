/** Tests of the processes of `fw dev`: how it starts, what it refuses, and that no process and no file remain. */
import { existsSync, lstatSync, readdirSync, readlinkSync, rmSync, statSync, symlinkSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { endsFirst, runBelowNpm } from "../support/bin/cli/npm-shell.ts"
import {
  alive,
  ask,
  type Dev,
  makeProject,
  readStatus,
  route,
  startDev,
  write,
} from "../support/bin/dev/dev-project.ts"

const test = suite("fw dev: process")
const file = "app/api/hello/route.ts"

/** Waits until none of the processes runs. */
async function gone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + 60_000
  while (alive(pids).length > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(alive(pids), [])
}

/**
 * Starts a project, with its own directory for temporary files, and waits for its three processes: the server, the
 * spare one and that of esbuild.
 */
async function running(): Promise<{
  dev: Dev
  root: string
  temporary: string
  port: number
  pids: number[]
}> {
  const root = makeProject({ [file]: route("hello"), "tmp/.keep": "" })
  const temporary = join(root, "tmp")
  rmSync(join(temporary, ".keep"))
  const dev = startDev(root, ["--port", "0"], { TMPDIR: temporary })
  const port = await dev.port()
  // The spare process is started a moment later.
  while (dev.descendants().length < 3) await ask(port, "/api/hello")
  return { dev, root, temporary, port, pids: dev.descendants() }
}

for (const ends of endsFirst) {
  test(`fw dev ends when the ${ends} that started it has ended`, async () => {
    const cwd = makeProject({ [file]: route("hello") })
    await runBelowNpm(ends, "dev --port 0", { cwd, says: /Local:/ })
  })
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends fw dev, its servers and their sockets`, async () => {
    const { dev, root, temporary, port, pids } = await running()
    // A browser keeps two such connections: one that has sent nothing yet, and one for events.
    connect(port, "127.0.0.1").on("error", () => {})
    await fetch(`http://localhost:${port}/__fw/events`)
    const [sockets = ""] = readdirSync(temporary)
    // Other users of this machine must not reach the sockets of the servers.
    assert.is(statSync(join(temporary, sockets)).mode & 0o777, 0o700)
    dev.child.kill(signal)
    // The connections stay open. If the command waited for them, it would not end.
    assert.is(await dev.ended, signal === "SIGINT" ? 130 : 0)
    await gone(pids)
    assert.equal(readdirSync(join(root, ".fw", "dev")), [])
    assert.equal(readdirSync(temporary), [])
  })
}

test("the first signal waits for a running request, and a second one does not", async () => {
  const slow = 'console.log("never ending")\n  return new Promise<Response>(() => {})'
  const root = makeProject({ [file]: `export function Get() {\n  ${slow}\n}\n` })
  const dev = startDev(root)
  const port = await dev.port()
  const asked = ask(port, "/api/hello").catch((error: Error) => error)
  await dev.says(/never ending/)
  const pids = dev.descendants()
  dev.child.kill("SIGINT")
  // The port is free at once.
  while (
    !(await ask(port, "/api/hello").then(
      () => false,
      () => true,
    ))
  )
    await dev.says(/never ending/)
  assert.is(dev.child.exitCode, null)
  dev.child.kill("SIGINT")
  assert.is(await dev.ended, 130)
  assert.instance(await asked, Error)
  await gone(pids)
})

test("if fw dev is killed, its servers and their sockets end too", async () => {
  const { dev, temporary, pids } = await running()
  dev.kill()
  await gone(pids)
  assert.equal(readdirSync(temporary), [])
})

test("a port in use is an error that names the port and says what to do", async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, "0.0.0.0", resolve))
  const { port } = other.address() as AddressInfo
  const dev = startDev(makeProject({ [file]: route("hello") }), ["--port", String(port)])
  assert.is(await dev.ended, 1)
  assert.match(dev.output, `port ${port} is in use by another program`)
  assert.match(dev.output, `fw dev --port ${port + 1}`)
  other.close()
})

for (const [what, files, packages, pattern] of [
  ["a directory that is not a project", {}, ["fw", "esbuild"], /has neither a directory "app" nor a main\.ts/],
  [
    "a project without esbuild",
    { [file]: route("x") },
    ["fw"],
    /esbuild.*not installed[\s\S]*npm install --save-dev esbuild/,
  ],
] as const) {
  test(`${what} is an error that says what to do`, async () => {
    const dev = startDev(makeProject(files, packages))
    assert.is(await dev.ended, 1)
    assert.match(dev.output, pattern)
  })
}

test(".env.local overrides .env, the environment overrides both, and a change of .env takes effect", async () => {
  const names = ["A", "B", "C", "NODE_ENV", "FW_DEV"]
  const text = `export const Get = (c: import("fw").Context) => c.json(200, ${JSON.stringify(names)}.map((name) => process.env[name] ?? null))\n`
  const root = makeProject({
    [file]: text,
    ".env": "A=env\nB=env\nC=env\n",
    ".env.local": "B=local\nC=local\n",
  })
  const dev = startDev(root, ["--port", "0"], { C: "set" })
  const port = await dev.port()
  const seen = async () => JSON.parse((await ask(port, "/api/hello")).body)
  assert.equal(await seen(), ["env", "local", "set", "development", "true"])
  write(root, { ".env": "A=changed\n" })
  await dev.says(/rebuilt in \d+ ms: \.env\n/)
  assert.equal(await seen(), ["changed", "local", "set", "development", "true"])
  assert.is(await dev.stop(), 0)
})

test("if the first build fails, pages and JSON say why, and a fix starts the server", async () => {
  const root = makeProject({ [file]: "export const Get = (\n" })
  // Without --port, the variable PORT applies.
  const dev = startDev(root, [], { PORT: "0" })
  const port = await dev.port()
  const page = await ask(port, "/api/hello", { headers: { accept: "text/html" } })
  assert.is(page.status, 500)
  assert.match(page.body, `<code>${file}:`)
  assert.match(page.body, "/__fw/client.js")
  const { status, body } = await ask(port, "/api/hello")
  assert.equal([status, JSON.parse(body).error, JSON.parse(body).problems[0].file], [500, "dev_server", file])
  write(root, { [file]: route("mended") })
  await dev.says(/rebuilt in/)
  assert.is((await ask(port, "/api/hello")).body, "mended")
  assert.is(await dev.stop(), 0)
})

test("a program that fails at its first start answers when it is fixed", async () => {
  const root = makeProject({
    [file]: `import "../../../lib/key.ts"\n${route("fixed")}`,
    "lib/key.ts": 'throw new Error("SHOP_KEY is missing")\n',
  })
  const dev = startDev(root)
  const port = await dev.port()
  assert.match((await ask(port, "/api/hello")).body, "SHOP_KEY is missing")
  write(root, { "lib/key.ts": 'throw new Error("another problem")\n' })
  await dev.says(/another problem/)
  write(root, { "lib/key.ts": "export {}\n" })
  await dev.says(/rebuilt in/)
  assert.is((await ask(port, "/api/hello")).body, "fixed")
  assert.is(await dev.stop(), 0)
})

test("a project without fw runs with the command's copy, which the output says, and an installed fw is preferred", async () => {
  const root = makeProject({ [file]: route("lent") }, ["esbuild"])
  const lent = join(root, ".fw/node_modules/fw")
  const dev = startDev(root)
  await dev.says(/fw is not installed in this project/)
  const port = await dev.port()
  assert.is((await ask(port, "/api/hello")).body, "lent")
  assert.is(await dev.stop(), 0)
  assert.is(lstatSync(lent).isSymbolicLink(), true)
  symlinkSync(readlinkSync(lent), join(root, "node_modules/fw"))
  const again = startDev(root)
  assert.is((await ask(await again.port(), "/api/hello")).body, "lent")
  assert.is(existsSync(lent), false)
  assert.is(await again.stop(), 0)
})

test("after a save, resources of the old program are closed, and a function that fails is reported", async () => {
  const main = (text: string) =>
    `import { App } from "fw"\nconst app = new App()\napp.onShutdown(() => { console.log("closed ${text}") })\n` +
    'app.onShutdown(() => Promise.reject(new Error("no connection")))\nexport default app\n'
  const root = makeProject({ [file]: route("hello"), "main.ts": main("one") })
  const dev = startDev(root, ["--port", "0"])
  await dev.port()
  write(root, { "main.ts": main("two") })
  await dev.says(/^closed one$/m)
  await dev.says(/a function of app\.onShutdown\(\) failed: no connection/)
  await dev.stop()
  assert.match(dev.output, /^closed two$/m)
})

test("a save after .fw was removed writes the generated files again", async () => {
  const { dev, root, port } = await running()
  for (const text of ["one", "two"]) {
    rmSync(join(root, ".fw"), { recursive: true })
    write(root, { [file]: route(text) })
    await dev.says(/rebuilt in \d+ ms: .*/)
    assert.is(await (await fetch(`http://localhost:${port}/api/hello`)).text(), text)
    assert.ok(existsSync(join(root, ".fw/dev.json")))
  }
  assert.is(await dev.stop(), 0, dev.output)
  assert.not.match(dev.output, /error:|Could not resolve/)
})

test("a program that does not finish starting is reported, and the next save continues", async () => {
  const { dev, root, port } = await running()
  const endless = `const later = async () => await fetch("/")\n\nexport const db = await new Promise(() => {})\n`
  write(root, { "lib/db.ts": endless, [file]: `import "../../../lib/db.ts"\n${route("waits")}` })
  const what = /warning: the program has not started after 5 seconds, and requests wait for it\n/
  await dev.says(what)
  await dev.says(/an await outside of a function/)
  assert.is((await readStatus(root, port)).warnings.length, 1)
  write(root, { "lib/db.ts": "export {}\n" })
  await dev.says(/rebuilt in \d+ ms/)
  assert.is(await (await fetch(`http://localhost:${port}/api/hello`)).text(), "waits")
  assert.equal((await readStatus(root, port)).warnings, [])
  assert.is(await dev.stop(), 0, dev.output)
})

test("a deleted main.ts is reported, because its middleware is gone", async () => {
  const main = 'import { App } from "fw"\nexport default new App()\n'
  const root = makeProject({ [file]: route("hello"), "main.ts": main })
  const dev = startDev(root)
  await dev.port()
  write(root, { "main.ts": null })
  await dev.says(/warning: main\.ts is gone, so the program runs without what it set up, such as csrf\(\)/)
  await dev.says(/rebuilt in/)
  write(root, { "main.ts": main })
  await dev.says(/rebuilt in/)
  write(root, { [file]: route("again") })
  await dev.says(/rebuilt in/)
  assert.is(dev.output.split("is gone").length, 2, dev.output)
  assert.is(await dev.stop(), 0)
})

test.run()
