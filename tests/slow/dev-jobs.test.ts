/**
 * Tests of jobs under `fw dev`: the current program runs them, and an old program finishes the jobs that it has
 * started.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../support/bin/cli/command.ts"
import { ask, makeProject, readStatus, startDev, write } from "../support/bin/dev/dev-project.ts"

const test = suite("fw dev: jobs")

const job = (version: number) => `import { existsSync } from "node:fs"

export async function Job({ kind }: { kind: string }) {
  console.log("begin ${version} " + kind)
  while (kind === "long" && !existsSync("end")) await new Promise((resolve) => setTimeout(resolve, 20))
  if (kind === "fail") throw new Error("no mail server")
  console.log("end ${version} " + kind)
}
`

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
  }),
  "package.json": JSON.stringify({ name: "shop", type: "module", imports: { "#jobs": "./.fw/jobs.ts" } }),
  "app/mail/welcome/job.ts": job(1),
  "app/mail/job.ts": `import { mailer } from "fw/mail"

export const Job = mailer({ from: "Shop <hello@shop.example>" })
`,
  "app/mail/thanks.tpl": `template Thanks(name: string) {
  <h1>Thank you, {name}</h1>
}
`,
  "app/thanks/route.ts": `import type { Context } from "fw"
import { mail } from "fw/mail"
import { Thanks } from "../mail/thanks.tpl.ts"

export async function Get(c: Context) {
  return c.string(202, await mail(c, { to: "ada@shop.example", subject: "Your order", html: Thanks("<Ada>") }))
}
`,
  "app/broken/job.ts": `export const options = { retries: 0 }

export function Job({ secret }: { secret: string }) {
  throw new Error("out of paper" + (secret ? "" : "?"))
}
`,
  "app/api/broken/{id}/route.ts": `import type { Context } from "fw"
import { jobs } from "#jobs"

export async function Get(c: Context) {
  return c.json(202, { id: await jobs.add("broken", { secret: c.query("token") }) })
}
`,
  "app/api/{kind}/route.ts": `import type { Context } from "fw"
import { jobs } from "#jobs"

export async function Get(c: Context) {
  const kind = c.param("kind")
  return c.json(202, { id: await jobs.add("mail/welcome", { kind: (kind === "number" ? 7 : kind) as string }) })
}
`,
}

test("after a save, the old program finishes its job, the new one runs the next, and mails are stored", async () => {
  const root = makeProject(files, ["fw", "esbuild", "typescript", "better-sqlite3", "@types/node"])
  const dev = startDev(root)
  const port = await dev.port()
  assert.is((await ask(port, "/api/long")).status, 202)
  await dev.says(/begin 1 long/)
  write(root, { "app/mail/welcome/job.ts": job(2) })
  await dev.says(/(?:Updated|updated|Changed|app\/mail\/welcome\/job\.ts)/)
  assert.is((await ask(port, "/api/short")).status, 202)
  await dev.says(/begin 2 short[\s\S]*end 2 short/)
  write(root, { end: "" })
  await dev.says(/end 1 long/)
  // The payload is checked against its type.
  assert.is((await ask(port, "/api/number")).status, 500)
  await dev.says(/the payload of the job "mail\/welcome" does not fit its type: kind: expected a string, got a number/)
  // A job that fails is shown with its position.
  await ask(port, "/api/fail")
  await dev.says(/no mail server\s+app\/mail\/welcome\/job\.ts:6:\d+/)
  await dev.says(/job mail\/welcome #\d+, attempt 1 of \d failed: Error: no mail server\n/)
  // A mail is a job too. Without a transport, it is stored for the page with the mails.
  assert.match((await ask(port, "/thanks")).body, /^<[\da-f-]{36}@shop\.example>$/)
  await dev.says(new RegExp(`A mail is at http://localhost:${port}/__fw/mail\n`))
  const { body } = await ask(port, "/__fw/mail")
  assert.match(body, /<h3>Your order<\/h3> To ada@shop\.example/)
  const [src = ""] = /\/__fw\/mail\/[\w-]+\.json/.exec(body) ?? []
  assert.match((await ask(port, src)).body, "<h1>Thank you, &lt;Ada&gt;</h1>")
  // What failed for the last time is in the status and on the page, where a button runs it again.
  const added = await ask(port, "/api/broken/7?token=correct-horse")
  const failed = await dev.says(/job broken #(\S+) has failed for the last time/)
  const [, id = ""] = failed
  const jobs = async () => (await readStatus(root, port)).jobs
  const before = await jobs()
  assert.equal(
    before?.names.find(({ name }) => name === "broken"),
    { name: "broken", waiting: 0, running: 0, failed: 1, isPaused: false },
  )
  const shown = before?.jobs.find((one) => one.id === id)
  assert.equal(
    [shown?.state, shown?.attempt, shown?.problem?.file, shown?.problem?.line],
    ["failed", 1, "app/broken/job.ts", 4],
  )
  assert.match(shown?.problem?.frame ?? "", /> 4 .*out of paper/)
  assert.not.match(JSON.stringify(before), /correct-horse/)
  const page = await ask(port, "/__fw/jobs")
  assert.match(page.body, new RegExp(`<h2>broken #${id}</h2><p>failed, attempt 1</p>`))
  const { requests } = JSON.parse((await ask(port, "/__fw/requests")).body)
  const request = requests.find(({ url }: { url: string }) => url.startsWith("/api/broken/7"))
  assert.match(
    (await ask(port, `/__fw/?request=${request.id}`)).body,
    new RegExp(`<small>enqueue</small> broken<pre tabindex="0">${id}</pre>`),
  )
  assert.is(added.status, 202)
  const retried = await ask(port, `/__fw/jobs/retry?id=${id}`, {
    method: "POST",
    headers: { origin: `http://127.0.0.1:${port}` },
  })
  assert.is(retried.status, 303, retried.body)
  assert.match(String(retried.headers.location), /did=Job\+\S+\+runs\+again/)
  await dev.says(new RegExp(`job broken #${id} has failed for the last time`))
  // The stack that is shown has only places of the project.
  const { stdout } = await fw(["jobs", "show", id], { cwd: root, env: process.env })
  assert.match(stdout, /Error: out of paper\n +at (?:Object\.)?Job \(app\/broken\/job\.ts:4:\d+\)\n/)
  assert.is(stdout.match(/ at /g)?.length, 1, stdout)
  await dev.stop()
})

test.run()
