/**
 * Runs a generated client on each runtime, as TypeScript if the runtime supports it, against an app on a socket.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getCommand, start } from "../support/adapters/runtimes.ts"
import { clientProject } from "../support/bin/generate/client-project.ts"

/** A program that prints the results of all types of calls in one line. */
const program = `import { createClient } from "./lib/client.ts"
const client = createClient({ baseURL: process.env.API, bearer: "secret", headers: { "x-trace": "t" } })
const task = await client.getTask({ params: { id: 7 } })
const missing = await client.getTask({ params: { id: 8 } })
const changed = await client.changeTask({ params: { id: 7 }, body: { title: "é", due: new Date(0) } })
const form = { document: new File(["abc"], "a.txt"), title: "A" }
const uploaded = await client.upload({ form })
const moved = await client.signIn({ form: { name: "ada" } })
const bytes = await client.putFile({ params: { path: "a b/c" }, bytes: new Uint8Array([1, 2]) })
const events = []
const watched = await client.watch()
if (watched.ok) for await (const event of watched.data) if (events.push(event.data) === 2) break
console.log(
  JSON.stringify([
    task.ok && task.data.due instanceof Date,
    missing.status,
    changed.ok && [changed.data.title, changed.data.trace],
    uploaded.ok && uploaded.data,
    [moved.status, moved.response.headers.get("location")],
    bytes.ok && [...new Uint8Array(await (bytes.data as Blob).arrayBuffer())],
    events,
  ]),
)
process.exit(0)
`
const expected = [
  true,
  404,
  ["é", "t"],
  { name: "a.txt", size: 3, title: "A" },
  [303, "/"],
  [1, 2],
  ["first\nsecond", '{"eur":9.5}'],
]

const { cwd, app } = await clientProject()
await app.listen("127.0.0.1:0")
test.after(() => app.shutdown())
writeFileSync(join(cwd, "use.ts"), program)
const options = { bundle: true, platform: "neutral", format: "esm", logLevel: "silent" } as const
await build({ ...options, absWorkingDir: cwd, entryPoints: ["use.ts"], outfile: join(cwd, "use.mjs") })

for (const [runtime, file] of [
  ["node", "use.mjs"],
  ["node-24", "use.ts"],
  ["node-26", "use.ts"],
  ["bun", "use.ts"],
  ["deno", "use.ts"],
] as const) {
  test(`the client works on ${runtime}`, async () => {
    const API = `http://127.0.0.1:${app.addr.split(":").at(-1)}`
    const command = [...getCommand(runtime), join(cwd, file)] as const
    const running = start(command as unknown as readonly [string, ...string[]], {
      cwd,
      env: { ...process.env, API },
    })
    assert.equal(JSON.parse(await running.line()), expected)
    await running.stop()
  })
}

test.run()
