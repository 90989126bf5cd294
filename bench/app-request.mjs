/**
 * Measures what a request of a test costs: `app.request()` and `testClient()`, and reading the result.
 *
 *     node bench/app-request.mjs [FOLDER]
 *
 * FOLDER is the `dist` of another version of fw, which runs next to this one. Hono's `app.request()` does the same
 * requests. All take turns in one process; medians of the processor time are compared.
 */
import { pathToFileURL } from "node:url"
import { Hono } from "hono"
import { record } from "./support/record.mjs"
import { median, turns } from "./support/turns.mjs"

const schema = { "~standard": { version: 1, vendor: "bench", validate: (value) => ({ value }) } }
const post = (body) => ({ method: "POST", body, headers: { "content-type": "application/json" } })

async function fw(folder) {
  const load = (file) => import(new URL(file, folder).href)
  const [{ App }, { testClient }] = [await load("lib/index.js"), await load("lib/testing.js")]
  const app = new App({ logger: false })
  app.get("/users/{id}", (c) => c.json(200, { id: c.param("id") }))
  app.post("/users", async (c) => c.json(201, await c.bind(schema)))
  const client = testClient(app)
  return {
    app,
    client: (path) => client.request(path),
    clientPost: (path, json) => client.request(path, { json }),
  }
}

function hono() {
  const app = new Hono()
  app.get("/users/:id", (c) => c.json({ id: c.req.param("id") }))
  app.post("/users", async (c) => c.json(await c.req.json(), 201))
  return { app }
}

const other = process.argv[2]
const contenders = {
  fw: await fw(new URL("../dist/", import.meta.url)),
  ...(other && { [other]: await fw(pathToFileURL(`${other}/`)) }),
  hono: hono(),
}

const rows = {
  "status only": async ({ app }) => (await app.request("/users/7")).status,
  "header and text": async ({ app }) => {
    const answer = await app.request("/users/7")
    return answer.headers.get("content-type") + (await answer.text())
  },
  JSON: async ({ app }) => (await app.request("/users/7?page=1")).json(),
  "POST of JSON": async ({ app }) => (await app.request("/users", post('{"name":"Ada"}'))).json(),
  "everything real": async ({ app }) => {
    const answer = await app.request("/users/7", { signal: new AbortController().signal })
    return answer.clone().json()
  },
  testClient: async ({ client }) => client && (await client("/users/7")).json(),
  "testClient, POST": async ({ clientPost }) =>
    clientPost && (await clientPost("/users", { name: "Ada" })).json(),
}

const measured = []
for (const [row, run] of Object.entries(rows)) {
  const found = Object.entries(contenders).filter(([, one]) => one.client || !row.startsWith("testClient"))
  const times = await turns(
    found.map(
      ([, one]) =>
        () =>
          run(one),
    ),
    { rounds: 31, calls: 500 },
  )
  measured.push({
    row,
    values: Object.fromEntries(found.map(([name], at) => [name, Math.round(median(times[at]) * 100) / 100])),
  })
  const shown = found.map(([name], at) => `${name} ${median(times[at]).toFixed(2)} µs`)
  console.log(`${row.padEnd(18)} ${shown.join("   ")}`)
}
record({
  id: "tests",
  title: "Processor time of a request in a test, without a server",
  unit: "µs",
  better: "less",
  rows: measured,
})
