/**
 * Tests of programs with several workers and failures: crashes, starts and ends that hang, signals at a bad time,
 * and broken builds.
 */
import { once } from "node:events"
import { chmodSync, copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, listProcesses, type Served, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { until } from "../support/store/until.ts"
import { root } from "../support/tsc.ts"

const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts": `import { existsSync } from "node:fs"
import { App, rateLimit } from "fw"
import { session } from "fw/session"
import { eventLog, memoryStore } from "fw/store"
console.log(\`worker \${process.pid} starts\`)
if (existsSync("hang")) {
  setInterval(() => {}, 1e6)
  await new Promise(() => {})
}
const uses: Record<string, () => unknown> = {
  memoryStore,
  rateLimit,
  "a rateLimit with a name": () => rateLimit({ name: "sign-in" }),
  session: () => session({ store: memoryStore() }),
  eventLog: () => eventLog(memoryStore()),
}
if (process.env.USE) uses[process.env.USE]?.()
const app = new App()
app.health({ drain: 3600 })
export default app
`,
  "app/api/who/route.ts":
    'import type { Context } from "fw"\nexport const Get = (c: Context) => c.string(200, String(process.pid))\n',
  "app/api/late/route.ts": `import type { Context } from "fw"
import { memoryStore } from "fw/store"
export const Get = (c: Context) => c.json(200, Object.keys(memoryStore()))
`,
})
const binary = join(cwd, "bin/shop")
const start = (env = {}) => serve([binary], cwd, { FW_LOG_LEVEL: "off", FW_WORKERS: "2", ...env })
const says = (served: Served, pattern: RegExp) => until(() => pattern.test(served.output()))
/** Returns the processes of the workers that have started so far. */
const started = (served: Served) => [...served.output().matchAll(/worker (\d+) starts/g)].map(([, pid]) => Number(pid))
const ended = (pids: readonly number[]) => until(() => !listProcesses(cwd).some((pid) => pids.includes(pid)))

/** Sends requests until exactly these processes have answered. */
async function answeredBy(served: Served, pids: readonly number[]): Promise<void> {
  const expected = [...pids].sort()
  await until(async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await fetch(`${served.url}/api/who`, { headers: { connection: "close" } })
        return Number(await answer.text())
      }),
    )
    return `${[...new Set(answers)].sort()}` === `${expected}`
  })
}

async function untilStopping(served: Served): Promise<void> {
  await until(async () => {
    const ask = async () => (await fetch(`${served.url}/health/ready`, { headers: { connection: "close" } })).status
    return (await Promise.all(Array.from({ length: 8 }, ask))).every((status) => status === 503)
  })
}

/** Replaces a file as a deployment does. */
function deploy(from: string, to: string): void {
  copyFileSync(from, `${to}.next`)
  renameSync(`${to}.next`, to)
}

test("the executable is built", async () => {
  const { code, stdout, stderr } = await build(cwd)
  assert.is(code, 0, stdout + stderr)
  copyFileSync(binary, join(cwd, "good"))
})

test("a worker that crashes while the program drains is not replaced, the other one continues, and the program ends after the last one", async () => {
  const served = await start()
  const [first, second] = started(served) as [number, number]
  served.child.kill("SIGTERM")
  await untilStopping(served)
  // A program that stops starts no new worker.
  served.child.kill("SIGHUP")
  process.kill(first, "SIGKILL")
  await says(served, new RegExp(`worker ${first} ended with SIGKILL["\\n]`))
  await answeredBy(served, [second])
  const end = once(served.child, "close")
  process.kill(second, "SIGKILL")
  assert.equal(await end, [1, null])
  assert.equal(started(served), [first, second])
})

test("workers that drain end with the process that started them", async () => {
  const served = await start()
  served.child.kill("SIGTERM")
  await untilStopping(served)
  assert.is(await served.stop("SIGKILL"), "SIGKILL")
  await ended(started(served))
})

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`${signal} ends a program whose first worker never listens`, async () => {
    writeFileSync(join(cwd, "hang"), "")
    const waiting = serve([binary], cwd, { FW_WORKERS: "2" }).catch((error: Error) => error)
    await until(() => listProcesses(cwd).length === 2)
    const [supervisor] = listProcesses(cwd).sort((a, b) => a - b) as [number]
    process.kill(supervisor, signal)
    assert.match(String(await waiting), /ended with 0 before it listened/)
    rmSync(join(cwd, "hang"))
  })

test("a new worker that never listens changes nothing until the next SIGHUP, which ends it", async () => {
  const served = await start()
  const old = started(served)
  writeFileSync(join(cwd, "hang"), "")
  served.child.kill("SIGHUP")
  await until(() => started(served).length === 3)
  await answeredBy(served, old)
  rmSync(join(cwd, "hang"))
  served.child.kill("SIGHUP")
  await says(served, /2 workers were replaced/)
  const [hung = 0, ...fresh] = started(served).slice(2)
  assert.is(fresh.length, 2)
  await answeredBy(served, fresh)
  await ended([...old, hung])
  assert.is(await served.stop("SIGINT"), 0)
})

test("SIGTERM while workers are replaced ends the new worker at once, and the old ones still answer", async () => {
  const served = await start()
  const old = started(served)
  writeFileSync(join(cwd, "hang"), "")
  served.child.kill("SIGHUP")
  await until(() => started(served).length === 3)
  rmSync(join(cwd, "hang"))
  served.child.kill("SIGTERM")
  await untilStopping(served)
  await answeredBy(served, old)
  await ended(started(served).slice(2))
  assert.is(await served.stop(), 1)
})

const broken: Readonly<Record<string, (file: string) => void>> = {
  "that is not a program": (file) => writeFileSync(file, "a page of an error\n", { mode: 0o755 }),
  "that may not be run": (file) => chmodSync(file, 0o644),
  "that was copied in part": (file) => writeFileSync(file, readFileSync(file).subarray(0, 1_000_000), { mode: 0o755 }),
  "that is empty": (file) => writeFileSync(file, "", { mode: 0o755 }),
  "that is not there": (file) => rmSync(file),
}

test("the workers that serve stay when the new executable cannot start", async () => {
  const served = await start()
  const old = started(served)
  let failures = 0
  for (const [what, spoil] of Object.entries(broken)) {
    rmSync(binary)
    copyFileSync(join(cwd, "good"), binary)
    spoil(binary)
    served.child.kill("SIGHUP")
    failures += 1
    await until(() => (served.output().match(/so the workers that serve stay/g) ?? []).length >= failures)
    await answeredBy(served, old)
    assert.is(served.child.exitCode, null, what)
  }
  deploy(join(cwd, "good"), binary)
  await says(served, /2 workers were replaced/)
  await ended(old)
  assert.is(await served.stop("SIGINT"), 0)
})

for (const [use, message] of [
  ["memoryStore", /memoryStore\(\) was called in a program with 2 workers[\s\S]*sqliteStore\(file\)/],
  ["rateLimit", /rateLimit\(\) counts in memory, but the program has 2 workers[\s\S]*rateLimit\({ store }\)/],
  ["a rateLimit with a name", /rateLimit\({ name: "sign-in" }\) counts in memory, but the program has 2 workers/],
  ["session", /memoryStore\(\) was called in a program with 2 workers/],
  ["eventLog", /memoryStore\(\) was called in a program with 2 workers/],
] as const)
  test(`a program with two workers that uses ${use} in memory does not start, and says why once`, async () => {
    const error = await start({ USE: use }).catch((error: Error) => error)
    const text = String(error)
    assert.match(text, /ended with 1 before it listened/)
    assert.match(text, message)
    assert.is(text.match(/in a program with|counts in memory/g)?.length, 1)
  })

test("a handler that keeps state in memory fails in a program with two workers", async () => {
  const served = await start({ FW_LOG_LEVEL: "error" })
  assert.is((await fetch(`${served.url}/api/late`)).status, 500)
  await says(served, /memoryStore\(\) was called in a program with 2 workers/)
  assert.is(await served.stop("SIGINT"), 0)
})

test("FW_WORKERS=auto on one processor starts one worker, which may keep state in memory, and SIGHUP replaces this worker", async () => {
  const served = await serve(["/usr/bin/taskset", "--cpu-list", "0", binary], cwd, {
    FW_LOG_LEVEL: "off",
    FW_WORKERS: "auto",
    USE: "memoryStore",
  })
  const [old = 0] = started(served)
  served.child.kill("SIGHUP")
  await says(served, /1 worker was replaced/)
  await ended([old])
  await answeredBy(served, started(served).slice(1))
  assert.is(await served.stop("SIGINT"), 0)
})

/** Returns a program whose workers hang as soon as they get a command. */
const hanging = (file: string) => `import cluster from "node:cluster"
import { supervise } from ${JSON.stringify(new URL(`file://${join(root, "adapters/start/supervisor.ts")}`).href)}
if (cluster.isPrimary) await supervise({ cluster, count: 2, file: ${JSON.stringify(file)}, patience: 10 })
cluster.worker.on("message", () => { for (;;); })
cluster.worker.send({ listening: "127.0.0.1:1" })
`

test("a worker that hangs when it should end is killed", async () => {
  const folder = project({})
  const file = join(folder, "program.mjs")
  writeFileSync(file, hanging(file))
  const served = await serve([process.execPath, ...process.execArgv, file], folder)
  const killed = (count: number) =>
    until(() => (served.output().match(/hangs, so it is killed/g) ?? []).length >= count)
  served.child.kill("SIGHUP")
  await says(served, /2 workers were replaced/)
  await killed(2)
  assert.is(await served.stop("SIGINT"), 1)
  await killed(4)
})

test.run()
