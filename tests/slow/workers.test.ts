/**
 * Tests of programs that run as several processes: they share a port, and are replaced one by one without losing a
 * request.
 */
import { once } from "node:events"
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, listProcesses, type Served, serve } from "../support/bin/build/executables.ts"
import { program, runNode } from "../support/bin/cli/command.ts"
import { endsFirst, runBelowNpm } from "../support/bin/cli/npm-shell.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const who = (version: string) => `import type { Context } from "fw"
export const Get = (c: Context) =>
  c.json(200, { pid: process.pid, version: ${JSON.stringify(version)}, args: process.argv.slice(2) })
`
/** Returns a route that first sends a request to `started`, and then waits. */
const waiting = (ms: number) => `import type { Context } from "fw"
export async function Get(c: Context) {
  await fetch(c.query("started") ?? "")
  await new Promise((resolve) => setTimeout(resolve, ${ms}))
  return c.json(200, { done: true })
}
`
const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "app/api/who/route.ts": who("one"),
  "app/api/slow/route.ts": waiting(700),
  "app/api/hang/route.ts": waiting(60_000),
})
const quiet = { FW_LOG_LEVEL: "off" }

interface Who {
  readonly pid: number
  readonly version: string
  readonly args: readonly string[]
}

/** Listens for one request, with which a handler says that it runs. */
async function waitForCall() {
  const server = createServer((_, answer) => {
    answer.setHeader("connection", "close").end()
    server.close()
  })
  const called = once(server, "request")
  await once(server.listen(0, "127.0.0.1"), "listening")
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, called }
}

/** Sends each request on a new connection. */
async function ask(url: string): Promise<Who> {
  const answer = await fetch(`${url}/api/who`, { headers: { connection: "close" } })
  return (await answer.json()) as Who
}

/** Sends requests until this many processes have answered. @returns the answer of each process. */
async function askAll(url: string, count: number, isDone: (all: readonly Who[]) => boolean = () => true) {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 4 * count }, () => ask(url)))
    const all = [...new Map(answers.map((one) => [one.pid, one])).values()]
    if (all.length === count && isDone(all)) return all
  }
}

/** Waits for a text in the output of a program, which may already contain it. */
async function says(served: Served, pattern: RegExp, times = 1): Promise<void> {
  while (count(served.output(), pattern) < times) {
    const ends = new AbortController()
    await Promise.race(
      [served.child.stdout, served.child.stderr].map((stream) => once(stream as NodeJS.ReadableStream, "data", ends)),
    )
    ends.abort()
  }
}

const count = (text: string, pattern: RegExp) => text.match(new RegExp(pattern, "g"))?.length ?? 0

/** Sends requests over connections that stay open, until it is stopped. */
function load(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const failures: string[] = []
  let requests = 0
  let isOver = false
  const one = () =>
    new Promise<void>((resolve) => {
      const sent = request(`${url}/api/who`, { agent }, (answer) => {
        if (answer.statusCode !== 200) failures.push(`${answer.statusCode}`)
        answer
          .resume()
          .once("end", resolve)
          .once("error", (error) => {
            failures.push(String(error))
            resolve()
          })
      })
      sent.once("error", (error) => {
        failures.push(String(error))
        resolve()
      })
      sent.end()
    })
  const clients = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      await one()
      requests += 1
    }
  })
  return async () => {
    isOver = true
    await Promise.all(clients)
    agent.destroy()
    return { requests, failures }
  }
}

const made = await build(cwd, ["--target", "node"])
const executable = await build(cwd)
const binary = join(cwd, "bin/shop")
const start = [process.execPath, program, "start"] as const

test("both types of programs are built", () => {
  assert.is(made.code, 0, made.stdout + made.stderr)
  assert.is(executable.code, 0, executable.stdout + executable.stderr)
})

const programs = [
  ["fw start", "dist/node/server.mjs", [...start, "--workers", "2", "--port", "0"], {}, []],
  ["an executable", "bin/shop", [binary, "serve", "--fast"], { FW_WORKERS: "2" }, ["serve", "--fast"]],
] as const

for (const [what, file, command, env, args] of programs) {
  let served: Served

  test(`${what} runs two workers on one port, with the arguments of the program`, async () => {
    served = await serve(command, cwd, { ...quiet, ...env })
    const all = await askAll(served.url, 2)
    for (const one of all) assert.equal(one.args, args)
    assert.not.ok(all.some(({ pid }) => pid === served.child.pid))
    assert.is(count(served.output(), /Listening on/), 1)
  })

  test(`${what} replaces its workers on SIGHUP and for a new file, and no request fails`, async () => {
    const before = await askAll(served.url, 2)
    const stop = load(served.url)
    for (let round = 1; round <= 3; round += 1) {
      served.child.kill("SIGHUP")
      await says(served, /2 workers were replaced/, round)
    }
    const place = join(cwd, file)
    cpSync(place, `${place}.next`)
    renameSync(`${place}.next`, place)
    await says(served, /2 workers were replaced/, 4)
    const { requests, failures } = await stop()
    assert.equal(failures, [])
    assert.ok(requests > 0)
    const after = await askAll(served.url, 2)
    assert.not.ok(after.some(({ pid }) => before.some((one) => one.pid === pid)))
  })

  test(`${what} starts another worker for a crashed one`, async () => {
    const [crashed] = (await askAll(served.url, 2)) as [Who]
    process.kill(crashed.pid, "SIGKILL")
    await says(served, new RegExp(`worker ${crashed.pid} ended with SIGKILL\\. Another one starts in 0\\.1 s`))
    await askAll(served.url, 2, (all) => !all.some(({ pid }) => pid === crashed.pid))
  })

  test(`${what} finishes the running requests after SIGTERM, and leaves no process`, async () => {
    const pids = (await askAll(served.url, 2)).map(({ pid }) => pid)
    const bell = await waitForCall()
    const slow = fetch(`${served.url}/api/slow?started=${bell.url}`)
    await bell.called
    const ended = served.stop()
    assert.equal(await (await slow).json().catch(String), { done: true })
    assert.is(await ended, 0)
    for (const pid of pids) assert.not.ok(listProcesses(cwd).includes(pid))
  })
}

test("a new build replaces the workers, and one that does not start leaves the old ones", async () => {
  const directory = join(cwd, "dist/node")
  const good = readFileSync(join(directory, "server.mjs"), "utf8")
  const served = await serve([...start, "--workers", "2", "--port", "0"], cwd, quiet)
  const swap = (text: string) => {
    writeFileSync(join(directory, "next.mjs"), text)
    renameSync(join(directory, "next.mjs"), join(directory, "server.mjs"))
  }
  swap(good.replace('"one"', '"two"'))
  await says(served, /2 workers were replaced/)
  const all = await askAll(served.url, 2)
  assert.equal(new Set(all.map(({ version }) => version)), new Set(["two"]))
  swap("throw new Error('a broken build')\n")
  await says(served, /the new worker ended before it listened, so the workers that serve stay/)
  assert.match(served.output(), /a broken build/)
  assert.equal((await askAll(served.url, 2)).map(({ pid }) => pid).sort(), all.map(({ pid }) => pid).sort())
  swap(good)
  await askAll(served.url, 2, (answers) => answers.every(({ version }) => version === "one"))
  assert.is(await served.stop(), 0)
})

test("the workers end with the process that started them", async () => {
  const served = await serve([...start, "--workers", "2", "--port", "0"], cwd, quiet)
  const pids = (await askAll(served.url, 2)).map(({ pid }) => pid)
  assert.is(await served.stop("SIGKILL"), "SIGKILL")
  // The output's pipe is closed when the last process that has it ends, and `stop` waits for that.
  for (const pid of pids) assert.not.ok(listProcesses(cwd).includes(pid))
})

test("a second signal ends all workers at once", async () => {
  const served = await serve([...start, "--workers", "2", "--port", "0"], cwd, quiet)
  const bell = await waitForCall()
  const hanging = fetch(`${served.url}/api/hang?started=${bell.url}`).then(
    () => "answered",
    () => "cut",
  )
  await bell.called
  const ended = served.stop()
  // The program has stopped when it accepts no more connections.
  while (await ask(served.url).catch(() => null));
  served.child.kill("SIGTERM")
  assert.equal([await ended, await hanging], [1, "cut"])
})

const wrong: ReadonlyArray<
  readonly [what: string, env: Record<string, string>, args: string[], says: RegExp, exit: number]
> = [
  [
    "a count that is not a number",
    { FW_WORKERS: "many" },
    [],
    /FW_WORKERS is "many", which is not a number of workers/,
    1,
  ],
  ["no worker", { FW_WORKERS: "0" }, [], /FW_WORKERS is "0"/, 1],
  ["too many workers", { FW_WORKERS: "5000" }, [], /from 1 to 1024/, 1],
  ["a flag that is not a number", {}, ["--workers", "many"], /--workers cannot be "many"/, 2],
  ["a flag that is too large", {}, ["--workers", "1025"], /from 1 to 1024/, 2],
]
for (const [what, env, args, message, exit] of wrong) {
  test(`${what} is refused`, async () => {
    const { code, stderr } = await runNode([program, "start", "--port", "0", ...args], { cwd, env })
    assert.is(code, exit)
    assert.match(stderr, message)
  })
}

test("a program that cannot listen reports this once", async () => {
  const served = await serve([...start, "--port", "0"], cwd, quiet)
  const port = new URL(served.url).port
  const { code, stderr } = await runNode([program, "start", "--workers", "3", "--port", port], { cwd })
  assert.is(code, 1)
  assert.is(count(stderr, /is in use by another process/), 1)
  assert.is(await served.stop(), 0)
})

for (const ends of endsFirst) {
  test(`fw start stops as after SIGTERM when the ${ends} that started it has ended`, async () => {
    await runBelowNpm(ends, "start --workers 2 --port 0", { cwd, says: /2 workers/ })
  })
}

test("fw start without a build names the command that makes it", async () => {
  const empty = makeProject({ "app/api/who/route.ts": who("one") })
  cpSync(join(cwd, "package.json"), join(empty, "package.json"))
  const { code, stderr } = await runNode([program, "start"], { cwd: empty })
  assert.is(code, 1)
  assert.match(stderr, /there is no dist\/node\/server\.mjs[\s\S]*fw build --target node/)
  rmSync(empty, { recursive: true })
})

test.run()
