/** Tests of the recipes in docs/operations/hosts.md for servers on Node, run unchanged with the real packages. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Ask, listFiles, recipeProject } from "../support/bin/new/recipes.ts"

const hosts = suite("docs/operations/hosts.md")
const json = { "content-type": "application/json" }

/**
 * Checks the data that every host passes on: a path and its client, a body, a stream, and the redirect for a
 * trailing slash.
 */
async function answers(ask: Ask, prefix = "", client: string | RegExp = /^(?:127\.0\.0\.1|::1)$/): Promise<void> {
  const hello = (await (await ask(`${prefix}/api/hello/ada`)).json()) as { hello: string; client: string }
  assert.is(hello.hello, "ada")
  assert.match(hello.client, client)
  const echo = await ask(`${prefix}/api/echo`, { method: "POST", headers: json, body: '{"a":[1]}' })
  assert.equal([echo.status, await echo.json()], [200, { a: [1] }])
  const refused = await ask(`${prefix}/api/echo`, { method: "POST", headers: json, body: "{" })
  assert.is(refused.status, 400)
  assert.is(await (await ask(`${prefix}/api/count`)).text(), "one two three")
  assert.is(await (await ask(`${prefix}/api/ticks`)).text(), "data: tick\n\n")
  const slash = await ask(`${prefix}/api/hello/ada/?q=1`)
  assert.is(slash.status, 308)
  const to = new URL(slash.headers.get("location") as string, `http://h${prefix}/api/hello/ada/?q=1`)
  assert.is(to.pathname + to.search, `${prefix}/api/hello/ada?q=1`)
}

const servers: ReadonlyArray<
  readonly [section: string, packages: readonly string[], own: (ask: Ask) => Promise<void>]
> = [
  [
    "Express",
    ["express@5"],
    async (ask) => {
      assert.is(await (await ask("/api/me")).text(), "ada")
      assert.is(await (await ask("/old")).text(), "still Express")
      const posted = await ask("/api/hello/ada", { method: "POST" })
      assert.match(await posted.text(), /Cannot POST/)
    },
  ],
  [
    "Connect",
    ["connect"],
    async (ask) => {
      assert.is(await (await ask("/api/me")).text(), "ada")
      assert.is(await (await ask("/old")).text(), "still Connect")
    },
  ],
  [
    "Fastify",
    ["fastify@5"],
    async (ask) => {
      assert.is(await (await ask("/api/me")).text(), "ada")
      assert.is(await (await ask("/old")).text(), "still Fastify")
      assert.is((await ask("/api/none")).status, 404)
    },
  ],
]
for (const [section, packages, own] of servers) {
  hosts(`the recipe for ${section} works`, async () => {
    const { serving } = await recipeProject(listFiles(section), packages)
    await serving(
      async (ask) => {
        await answers(ask)
        await own(ask)
      },
      process.execPath,
      "server.js",
    )
  })
}

hosts("the recipes for Hono work, with fw inside and outside", async () => {
  const { serving } = await recipeProject(listFiles("Hono"), ["hono", "@hono/node-server"])
  await serving(
    async (ask) => {
      await answers(ask, "/fw")
      assert.is(await (await ask("/old")).text(), "still Hono")
    },
    process.execPath,
    "server.js",
  )
  await serving(
    async (ask) => assert.is(await (await ask("/old/hello")).text(), "Hono, 127.0.0.1"),
    process.execPath,
    "outer.js",
  )
})

hosts("the recipe for Vite works", async () => {
  const files = { ...listFiles("Vite"), "index.html": "<title>Vite's own</title>" }
  const { serving } = await recipeProject(files, ["vite"])
  await serving(
    async (ask) => {
      await answers(ask)
      assert.match(await (await ask("/")).text(), /Vite's own/)
    },
    process.execPath,
    "node_modules/vite/bin/vite.js",
    "--port",
    "0",
  )
})

/**
 * A program that calls the function of a platform as the platform does. It imports fw as a user of the package
 * does.
 */
const platforms = `import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

const context = { ip: "203.0.113.7", waitUntil() {} }
// The launcher of Vercel's functions passes the context to @vercel/functions in this way.
Object.assign(globalThis, { [Symbol.for("@vercel/request-context")]: { get: () => context } })
const calls = {
  async vercel(request) {
    const { default: app } = await import("./api/index.js")
    request.headers.set("x-real-ip", context.ip)
    return app.fetch(request)
  },
  async netlify(request) {
    const { default: answer, config } = await import("./netlify/functions/api.js")
    if (config.path !== "/api/*") throw new Error(config.path)
    return answer(request, context)
  },
}
createServer(async (incoming, outgoing) => {
  const { method, headers, url } = incoming
  const body = method === "POST" ? await buffer(incoming) : undefined
  const request = new Request("https://shop.example" + url, { method, headers, body })
  const answer = await calls[process.argv[2]](request)
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
  outgoing.end(Buffer.from(await answer.arrayBuffer()))
}).listen(0)
`

hosts("the recipes for Vercel and Netlify work, called as the platforms call them", async () => {
  const files = { ...listFiles("Vercel"), ...listFiles("Netlify") }
  assert.equal(JSON.parse(files["vercel.json"] as string).rewrites[0].destination, "/api")
  const { serving } = await recipeProject({ ...files, "platforms.mjs": platforms }, ["@vercel/functions"])
  for (const platform of ["vercel", "netlify"])
    await serving((ask) => answers(ask, "", "203.0.113.7"), process.execPath, "platforms.mjs", platform)
})

hosts.run()
