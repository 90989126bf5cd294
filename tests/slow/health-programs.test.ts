/**
 * Tests of programs that wait for load balancers when SIGTERM stops them: readiness answers 503, and requests are
 * still answered for a while.
 */
import { once } from "node:events"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, listProcesses, type Served, serve } from "../support/bin/build/executables.ts"
import { program } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts":
    'import { App } from "fw"\nconst app = new App()\napp.health({ drain: 3600, checks: { disk: async () => {} } })\nexport default app\n',
  "app/api/who/route.ts":
    'import type { Context } from "fw"\nexport const Get = (c: Context) => c.json(200, { pid: process.pid })\n',
})
const quiet = { FW_LOG_LEVEL: "off" }
const start = [process.execPath, program, "start", "--port", "0"] as const
const two = [...start, "--workers", "2"] as const

/**
 * Sends requests on new connections, several times as many as there are workers. @returns the different answers.
 */
async function askAll(served: Served, path: string): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const answer = await fetch(served.url + path, { headers: { connection: "close" } })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  return [...new Set(answers)].sort()
}

/** Repeats requests until the answers are as expected. */
async function askUntil(served: Served, path: string, isDone: (answers: readonly string[]) => boolean) {
  for (;;) {
    const answers = await askAll(served, path)
    if (isDone(answers)) return answers
  }
}

/** Resolves when all workers answer readiness with 503. Other requests must be answered all the time. */
async function untilStopping(served: Served): Promise<void> {
  const stopping = '503 {"status":"stopping"}'
  const ready = '200 {"status":"ok","checks":{"disk":"ok"}}'
  const seen = await askUntil(served, "/health/ready", (answers) => {
    for (const answer of answers) assert.ok([ready, stopping].includes(answer), answer)
    return `${answers}` === stopping
  })
  assert.equal(seen, [stopping])
  assert.equal(await askAll(served, "/health/live"), ['200 {"status":"ok"}'])
}

const made = await build(cwd, ["--target", "node"])

test("the program is built", () => assert.is(made.code, 0, made.stdout + made.stderr))

for (const [what, command, processes] of [
  ["a program", start, 1],
  ["a program with two workers", two, 2],
] as const) {
  test(`${what} answers requests after SIGTERM, and a second signal ends it at once`, async () => {
    const served = await serve(command, cwd, quiet)
    const isAll = (answers: readonly string[]) => answers.length === processes
    const before = await askUntil(served, "/api/who", isAll)
    served.child.kill("SIGTERM")
    await untilStopping(served)
    assert.equal(await askUntil(served, "/api/who", isAll), before)
    const ended = once(served.child, "close")
    served.child.kill("SIGTERM")
    await ended
    assert.equal(
      before.filter((answer) => listProcesses(cwd).includes(Number(/\d+\}/.exec(answer)?.[0].slice(0, -1)))),
      [],
    )
  })

  test(`${what} does not wait after SIGINT, and after SIGTERM only as long as FW_DRAIN says`, async () => {
    const interrupted = await serve(command, cwd, quiet)
    assert.is(await interrupted.stop("SIGINT"), 0)
    const short = await serve(command, cwd, { ...quiet, FW_DRAIN: "0.1" })
    assert.is(await short.stop("SIGTERM"), 0)
  })
}

test("workers that are replaced do not wait", async () => {
  const served = await serve(two, cwd, quiet)
  const isAll = (answers: readonly string[]) => answers.length === 2
  const before = await askUntil(served, "/api/who", isAll)
  const isOld = (answer: string) => before.includes(answer)
  served.child.kill("SIGHUP")
  await askUntil(served, "/api/who", (answers) => isAll(answers) && !answers.some(isOld))
  const pids = before.map((answer) => JSON.parse(answer.slice("200 ".length)).pid as number)
  // A worker that waited would run for an hour.
  while (listProcesses(cwd).some((pid) => pids.includes(pid))) await new Promise((resolve) => setImmediate(resolve))
  assert.is(await served.stop("SIGINT"), 0)
})

test("a value of FW_DRAIN that is not a number is refused at start", async () => {
  const error = await serve(start, cwd, { ...quiet, FW_DRAIN: "5s" }).catch((error: Error) => error)
  assert.match(String(error), 'FW_DRAIN is "5s", which is not a number of seconds')
})

for (const [what, options, processes] of [
  ["a program", [], 1],
  ["a program with two workers", ["--workers", "2"], 2],
] as const) {
  test(`${what} ends when the functions of app.onShutdown() have finished, with exit code 1 if one fails`, async () => {
    const cwd = makeProject({
      "package.json": '{ "name": "shop", "type": "module" }\n',
      "main.ts": [
        'import { App } from "fw"',
        "const app = new App()",
        'app.onShutdown(() => { if (process.env.FAIL) throw new Error("no connection") })',
        'app.onShutdown(() => new Promise(setImmediate).then(() => console.log("closed")))',
        "export default app",
        "",
      ].join("\n"),
    })
    const { code, stdout, stderr } = await build(cwd, ["--target", "node"])
    assert.is(code, 0, stdout + stderr)
    for (const [env, expected] of [
      [{}, 0],
      [{ FAIL: "yes" }, 1],
    ] as const) {
      const served = await serve([...start, ...options], cwd, { ...quiet, ...env })
      assert.is(await served.stop("SIGTERM"), expected)
      assert.is(served.output().match(/^closed$/gm)?.length, processes)
      const failed = served.output().match(/^.*a function of app\.onShutdown\(\) failed: no connection.*$/gm) ?? []
      assert.is(failed.length, expected * processes)
    }
  })
}

test.run()
