/** Jobs of a worker that `fw build --target workers` makes, with the queues of Miniflare, which runs workerd. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { until } from "../support/store/until.ts"
import { installTools } from "../support/tools.ts"

interface Fetcher {
  fetch(url: string, options?: object): Promise<{ readonly status: number; json(): Promise<unknown> }>
  scheduled(event: { scheduledTime: Date; cron: string }): Promise<unknown>
}

interface Miniflare {
  getWorker(name: string): Promise<Fetcher>
  dispose(): Promise<void>
}

const test = suite("jobs on workers")
const packages = ["fw", "esbuild", "typescript", "@types/node"]
const files = {
  "package.json": JSON.stringify({ name: "shop", type: "module", imports: { "#jobs": "./.fw/jobs.ts" } }),
  "app/mail/job.ts": `import type { JobContext, JobOptions } from "fw/jobs"
import { runs } from "../../runs.ts"

export const options: JobOptions = { retries: 1, backoff: 0.1 }

export async function Job({ to }: { to: string }, { id, attempt }: JobContext) {
  runs.push(\`mail \${to} \${attempt} \${typeof id}\`)
  if (to === "nobody" || (to === "bob" && attempt === 1)) throw new Error("no mail server")
}
`,
  "app/report/job.ts": `import type { JobContext, JobOptions } from "fw/jobs"
import { runs } from "../../runs.ts"

export const options: JobOptions = { schedule: "15 3 * * *", timezone: "Europe/Berlin" }

export async function Job(_: undefined, { id, scheduled }: JobContext) {
  runs.push(\`\${id} of \${scheduled?.toISOString()}\`)
}
`,
  "runs.ts": "export const runs: string[] = []\n",
  "app/api/runs/route.ts": `import type { Context } from "fw"
import { runs } from "../../../runs.ts"

export const Get = (c: Context) => c.json(200, runs)
`,
  "app/api/mail/route.ts": `import type { Context } from "fw"
import { jobs } from "#jobs"

export async function Post(c: Context) {
  const { to, days = 0 } = await c.bind<{ to: string; days?: number }>()
  return c.json(202, { id: await jobs.add("mail", { to }, { delay: days * 86_400 }).catch((error) => error.message) })
}
`,
}

interface Config {
  readonly compatibility_flags: readonly string[]
  readonly compatibility_date: string
  readonly queues: {
    readonly producers: readonly { readonly queue: string; readonly binding: string }[]
    readonly consumers: readonly Readonly<Record<string, string | number>>[]
  }
  readonly triggers: { readonly crons: readonly string[] }
}

/** Builds a project, and runs its worker with the queues of its `wrangler.json`. */
async function start(cwd: string): Promise<Miniflare> {
  const { code, stdout, stderr } = await fw(["build", "--target", "workers"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const directory = join(cwd, "dist/workers")
  const config = JSON.parse(readFileSync(join(directory, "wrangler.json"), "utf8")) as Config
  assert.equal(config.triggers.crons, ["* * * * *"])
  const common = {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    modules: true,
  }
  const [consumer] = config.queues.consumers
  const script = `const seen = []
export default {
  queue({ messages }) { for (const { body } of messages) seen.push(body) },
  fetch: () => Response.json(seen),
}`
  const { Miniflare } = createRequire(join(await installTools(["miniflare@4.20260426.0"]), "x.js"))("miniflare") as {
    readonly Miniflare: new (options: object) => Miniflare
  }
  return new Miniflare({
    workers: [
      {
        ...common,
        name: "main",
        script: readFileSync(join(directory, "worker.mjs"), "utf8"),
        queueProducers: Object.fromEntries(
          config.queues.producers.map(({ queue, binding }) => [binding, { queueName: queue }]),
        ),
        queueConsumers: {
          [consumer?.queue as string]: {
            maxBatchTimeout: consumer?.max_batch_timeout,
            maxRetries: consumer?.max_retries,
            deadLetterQueue: consumer?.dead_letter_queue,
          },
        },
      },
      { ...common, name: "failed", script, queueConsumers: { "shop-jobs-failed": { maxBatchTimeout: 0 } } },
    ],
  })
}

let miniflare: Miniflare
test.before(async () => {
  miniflare = await start(makeProject(files, packages))
})
test.after(() => miniflare.dispose())

const read = async (worker: Fetcher) => (await (await worker.fetch("http://a.example/api/runs")).json()) as unknown[]

test("jobs are messages of a queue: they run, are repeated, and go to another queue at the end", async () => {
  const [main, failed] = await Promise.all([miniflare.getWorker("main"), miniflare.getWorker("failed")])
  const add = async (body: object) => {
    const headers = { "content-type": "application/json" }
    const options = { method: "POST", headers, body: JSON.stringify(body) }
    return ((await (await main.fetch("http://a.example/api/mail", options)).json()) as { id: string }).id
  }
  const read = async (worker: Fetcher) => (await (await worker.fetch("http://a.example/api/runs")).json()) as unknown[]
  for (const to of ["ada", "bob", "nobody"]) assert.match(await add({ to }), /^[\w-]{36}$/)
  await until(async () => (await read(failed)).length === 1)
  await until(async () => (await read(main)).length === 5)
  assert.equal(
    (await read(main)).sort(),
    [
      ["ada", 1],
      ["bob", 1],
      ["bob", 2],
      ["nobody", 1],
      ["nobody", 2],
    ].map(([to, attempt]) => `mail ${to} ${attempt} string`),
  )
  const [letter] = (await read(failed)) as { name: string; payload: string; error: string }[]
  assert.equal([letter?.name, letter?.payload], ["mail", '{"to":"nobody"}'])
  assert.is(letter?.error, "Error: no mail server")
  assert.match(await add({ to: "ada", days: 1 }), /^the job "mail" was added with a delay of 86400 s/)
})

test("a trigger adds the jobs that are scheduled for its minute, in the zone of the job", async () => {
  const main = await miniflare.getWorker("main")
  const cron = "* * * * *"
  // Summer time in Berlin is two hours ahead.
  for (const minute of ["01:14", "01:15", "01:15", "03:15"])
    await main.scheduled({ scheduledTime: new Date(`2026-07-01T${minute}:00Z`), cron })
  const reports = async () => (await read(main)).filter((run) => String(run).startsWith("report"))
  await until(async () => (await reports()).length === 2)
  // A trigger that is delivered twice adds two jobs with one id.
  const time = "2026-07-01T01:15:00.000Z"
  assert.equal(await reports(), [`report@${time} of ${time}`, `report@${time} of ${time}`])
})

test.run()
