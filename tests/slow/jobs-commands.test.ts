/**
 * Tests of `fw jobs`, `fw task` and the same commands of a built program, and of its jobs at a shutdown and after a
 * crash.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"
import { findFreePort } from "../support/free-port.ts"
import { endWithTest } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

const test = suite("fw jobs")
const env = { PATH: process.env.PATH, HOME: process.env.HOME }
const packages = ["fw", "esbuild", "typescript", "better-sqlite3", "@types/node"]
const files = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      module: "nodenext",
      target: "es2023",
      noEmit: true,
      types: ["node"],
      allowImportingTsExtensions: true,
    },
    include: ["app"],
  }),
  "package.json": JSON.stringify({ name: "shop", type: "module", imports: { "#jobs": "./.fw/jobs.ts" } }),
  "app/mail/welcome/job.ts": `import type { JobContext, JobOptions } from "fw/jobs"

export interface Welcome {
  email: string
  since: Date
}

export const options: JobOptions<Welcome> = { retries: 0 }

export async function Job({ email, since }: Welcome, job: JobContext) {
  job.log.info(\`mail to \${email} since \${since.getUTCFullYear()}\`)
  if (email === "fail") throw new Error("no mail server")
}
`,
  "app/reports/nightly/job.ts": `import { appendFileSync } from "node:fs"
import type { JobContext, JobOptions } from "fw/jobs"

export const options: JobOptions = { schedule: "15 3 * * *", timezone: "Europe/Berlin", backoff: 1 }

export async function Job(payload: { wait: number } | undefined, { attempt }: JobContext) {
  appendFileSync("runs", \`begin \${attempt}\\n\`)
  if (payload && attempt === 1) await new Promise((resolve) => setTimeout(resolve, payload.wait))
  appendFileSync("runs", \`end \${attempt}\\n\`)
}
`,
  "app/api/orders/route.ts": `import type { Context } from "fw"
import { jobs } from "#jobs"

export async function Post(c: Context) {
  return c.json(202, { id: await jobs.add("reports/nightly", await c.bind<{ wait: number }>()) })
}
`,
}

const runs = (cwd: string) =>
  existsSync(join(cwd, "runs")) ? readFileSync(join(cwd, "runs"), "utf8").trim().split("\n") : []

test("jobs can be listed, paused, retried and removed", async () => {
  const cwd = makeProject(files, packages)
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await fw(args, { cwd, env })
    return code === 0 ? stdout.trim() : `${code} ${stderr.trim().split("\n")[0]}`
  }
  const welcome = (email: string) => JSON.stringify({ email, since: "2026-01-31T09:30:00Z" })
  assert.is(await run("jobs", "add", "mail/welcome", welcome("ada")), "added #1")
  assert.match(
    await run("jobs", "add", "mail/welcome", '{"email":"ada"}'),
    /^1 error: the payload of the job "mail\/welcome" does not fit its type: since: expected a string/,
  )
  assert.match(await run("jobs", "add", "mail/welcom"), /^1 error: there is no job "mail\/welcom"$/)
  assert.match(await run("jobs", "add", "mail/welcome", "{"), /^1 error: the payload "\{" is not JSON/)
  assert.match(
    await run("jobs", "list"),
    /^mail\/welcome +1 waiting, 0 running, 0 failed\nreports\/nightly +0 waiting, 0 running, 0 failed$/,
  )
  assert.match(
    await run("jobs", "list", "mail/welcome", "--state", "waiting"),
    /^#1 +waiting +mail\/welcome {2}attempt 0\n +payload /,
  )
  assert.match((await fw(["jobs", "show", "7"], { cwd, env })).stderr, "\n  fw jobs list shows the jobs that wait")
  const { data } = JSON.parse((await fw(["jobs", "show", "1", "--json"], { cwd, env })).stdout)
  assert.equal(JSON.parse(data.jobs[0].payload), { email: "ada", since: "2026-01-31T09:30:00Z" })
  assert.is(await run("jobs", "show", "7"), '1 error: there is no job with the number "7"')
  assert.is(await run("jobs", "retry", "7"), '1 error: there is no job with the number "7"')
  assert.is(await run("jobs", "retry", "1"), '1 error: the job "1" cannot be retried: its state is waiting')
  assert.is(await run("jobs", "retry"), "retried 0")
  assert.match(await run("jobs", "pause", "mail/welcome"), /^paused/)
  assert.match(await run("jobs", "list"), /1 waiting, 0 running, 0 failed, paused/)
  assert.is(await run("jobs", "resume", "mail/welcome"), "resumed mail/welcome")
  assert.is(await run("jobs", "clear"), "1 error: jobs clear would remove all jobs")
  assert.is(await run("jobs", "clear", "mail/welcome"), "removed 1")
  const times = (await run("jobs", "schedule")).split("\n")
  assert.is(times.length, 10)
  assert.match(times[0] ?? "", /^\d{4}-.*Z {2}reports\/nightly {2}\(\d{4}-\d\d-\d\d 03:15 Europe\/Berlin\)$/)
  assert.is(await run("task", "reports/nightly"), "ran reports/nightly")
  assert.equal(runs(cwd), ["begin 1", "end 1"])
  const failed = await fw(["task", "mail/welcome", welcome("fail")], { cwd, env })
  assert.is(failed.code, 1)
  assert.match(
    failed.stderr,
    /info mail to fail since 2026 job=mail\/welcome jobID=[\w-]+ attempt=1\nerror: no mail server\n/,
  )
})

test("a project without jobs is told how to write one, and gets no generated files for them", async () => {
  const cwd = makeProject({ "app/api/route.ts": "export function Get() { return new Response() }\n" }, packages)
  const { code, stderr } = await fw(["jobs", "list"], { cwd, env })
  assert.equal([code, stderr.split("\n")[0]], [1, "error: the project has no jobs"])
  assert.is(existsSync(join(cwd, ".fw/jobs.ts")), false)
  assert.not.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), "jobs")
  await fw(["build", "--target", "node"], { cwd, env })
  assert.not.match(readFileSync(join(cwd, "dist/node/server.mjs"), "utf8"), "fw_job")
})

test("the types of jobs are removed with the last job file", async () => {
  const cwd = makeProject(files, packages)
  await fw(["generate", "templates"], { cwd, env })
  assert.is(existsSync(join(cwd, ".fw/jobs.ts")), true)
  write(cwd, {
    "app/mail": null,
    "app/reports": null,
    "app/api": null,
    "main.ts": 'import { App } from "fw"\nexport default new App()\n',
  })
  await fw(["generate", "templates"], { cwd, env })
  assert.is(existsSync(join(cwd, ".fw/jobs.ts")), false)
})

test("a built program runs jobs, finishes them at a shutdown, and repeats those that a crash interrupted", async () => {
  const cwd = makeProject(files, packages)
  const built = await fw(["build", "--target", "node"], { cwd, env })
  assert.is(built.code, 0, built.stderr)
  const port = await findFreePort()
  const start = async (more: Readonly<Record<string, string>> = {}, ...args: readonly string[]) => {
    const program = spawn(process.execPath, ["dist/node/server.mjs", ...args], {
      cwd,
      env: { ...env, PORT: `${port}`, ...more },
    })
    endWithTest(program)
    let output = ""
    for (const stream of [program.stdout, program.stderr]) stream.on("data", (text) => (output += text))
    await until(() => /Listening|Running jobs|error/.test(output) || program.exitCode !== null)
    return { program, output: () => output, ended: once(program, "exit") }
  }
  const add = async (wait: number) => {
    const body = JSON.stringify({ wait })
    const headers = { "content-type": "application/json" }
    return (await fetch(`http://127.0.0.1:${port}/api/orders`, { method: "POST", headers, body })).status
  }
  const first = await start()
  assert.is(await add(500), 202)
  await until(() => runs(cwd).length === 1)
  first.program.kill("SIGTERM")
  assert.equal(await first.ended, [0, null])
  assert.equal(runs(cwd), ["begin 1", "end 1"], first.output())
  // A process that runs no jobs adds one, and another process without a server runs it.
  const adder = await start({ FW_JOBS: "off" })
  assert.is(await add(60_000), 202)
  const worker = await start({ FW_JOBS: "only,1" })
  assert.match(worker.output(), "Running jobs")
  await until(() => runs(cwd).length === 3)
  worker.program.kill("SIGKILL")
  await worker.ended
  const next = await start({ FW_JOBS: "only" })
  await until(() => runs(cwd).length === 5)
  assert.equal(runs(cwd).slice(3), ["begin 2", "end 2"])
  for (const { program, ended } of [adder, next]) {
    program.kill("SIGTERM")
    await ended
  }
  // The program names its own commands, as they are typed.
  const program = async (...args: readonly string[]) => {
    const child = spawn(process.execPath, ["dist/node/server.mjs", ...args], { cwd, env })
    const [text] = await Promise.all([
      Promise.all([child.stdout, child.stderr].map(async (stream) => (await stream.toArray()).join(""))),
      once(child, "exit"),
    ])
    return text.join("")
  }
  assert.match(await program("jobs", "show", "700"), "\n  node dist/node/server.mjs jobs list shows the jobs that wait")
  assert.match(await program("jobs", "pause", "mail/welcome"), ": node dist/node/server.mjs jobs resume mail/welcome")
  const misspelled = await start({}, "job", "list")
  assert.match(misspelled.output(), "fw: job is not a command, and the server starts: use jobs")
  misspelled.program.kill("SIGTERM")
  await misspelled.ended
  const wrong = await start({ FW_JOBS: "many" })
  assert.match(wrong.output(), 'FW_JOBS has the value "many"')
})

test.run()
