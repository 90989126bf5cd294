/**
 * Starts every template of `fw generate proxy`, and tests with requests that it does what it says. generate.test.ts
 * checks the types.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import {
  ask,
  bearer,
  bundle,
  claims,
  cwd,
  fails,
  generate,
  now,
  type Running,
  secret,
  start,
  templates,
  token,
} from "../support/bin/generate/generated.ts"

const proxies = suite("proxies")

proxies.before(async () => {
  for (const name of templates.proxy) await generate("proxy", "-t", name, "-d", `proxies/${name}`)
})

/** Starts the project with a proxy for the duration of a test. */
async function withProxy(
  name: string,
  env: Record<string, string>,
  run: (server: Running) => Promise<void>,
): Promise<void> {
  const started = await start(await bundle(`proxies/${name}`), env)
  try {
    await run(started)
  } finally {
    await started.stop()
  }
}

proxies("the proxy blank lets requests through", async () => {
  await withProxy("blank", {}, async (started) => {
    assert.is((await ask(started, "/page")).status, 200)
  })
})

proxies(
  "the proxy auth-check accepts public paths, sessions and tokens, and answers others with 401 or the login",
  async () => {
    await withProxy("auth-check", { AUTH_JWT_SECRET: secret }, async (started) => {
      const readStatus = async (target: string, headers = {}) => (await ask(started, target, headers)).status
      assert.is(await readStatus("/api/health"), 200)
      for (const path of ["/health/live", "/health/ready"]) assert.is(await readStatus(path), 404)
      const api = await ask(started, "/api/thing")
      assert.equal([api.status, JSON.parse(api.body)], [401, { error: "unauthorized" }])
      assert.is(api.headers["www-authenticate"], "Bearer, Cookie")
      const page = await ask(started, "/page")
      assert.equal([page.status, page.headers.location], [302, "/login"])
      assert.is(await readStatus("/api/thing", bearer(token(claims))), 200)
      assert.is(await readStatus("/api/thing", bearer(token(claims, { alg: "none" }))), 401)
      assert.is(await readStatus("/api/thing", bearer(token({ ...claims, exp: now - 10 }))), 401)
      assert.is(await readStatus("/apiary"), 302)
      assert.is(await readStatus("/loginx"), 302)
      const signedIn = await ask(started, "POST /login")
      const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? ""
      assert.match(cookie, /^session_id=[0-9a-f]{64}$/)
      const known = await ask(started, "/api/thing", { cookie })
      assert.equal(JSON.parse(known.body), { path: "/api/thing", user: "7" })
      assert.is(await readStatus("/page", { cookie: cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }), 302)
      assert.is(await readStatus("DELETE /login", { cookie }), 204)
      assert.is(await readStatus("/page", { cookie }), 302)
    })
    assert.match(
      await fails(await bundle("proxies/auth-check"), { AUTH_JWT_SECRET: "short" }),
      "AUTH_JWT_SECRET has 5 bytes: it needs at least 32",
    )
  },
)

proxies("the proxy rate-limit counts each address separately, and remembers a limited number of them", async () => {
  const path = join(cwd, "proxies/rate-limit/proxy.ts")
  const text = readFileSync(path, "utf8")
  const small = text.replace("limit = 100", "limit = 3").replace("maxClients = 10_000", "maxClients = 4")
  assert.is(text.length - small.length, 7)
  writeFileSync(path, small)
  await withProxy("rate-limit", {}, async (started) => {
    const from = (address: string, target = "/api/thing") => ask(started, target, { "x-forwarded-for": address })
    const statuses = async (address: string, times: number) => {
      const found: number[] = []
      for (let i = 0; i < times; i++) found.push((await from(address)).status)
      return found
    }
    assert.equal(await statuses("203.0.113.1", 5), [200, 200, 200, 429, 429])
    const refused = await from("203.0.113.1")
    assert.match(refused.headers["retry-after"] ?? "", /^(?:[1-9]|[1-5]\d|60)$/)
    assert.is(JSON.parse(refused.body).error, "too_many_requests")
    assert.is((await from("203.0.113.1", "/page")).status, 200, "a request for another path was counted")
    // All addresses of one IPv6 network count as one client, and the next network is another client.
    const one = ["2001:db8::1", "2001:db8:0:0:9::1", "2001:db8:0:0::2", "2001:db8::5:0:0:1"]
    const answers = await Promise.all(one.map((address) => from(address)))
    assert.equal(answers.map(({ status }) => status).sort(), [200, 200, 200, 429])
    assert.is((await from("2001:db8:0:1::1")).status, 200)
    assert.is((await from("203.0.113.1")).status, 429)
    // The limit remembers four clients, so two more push the first one out.
    await from("203.0.113.2")
    await from("203.0.113.3")
    assert.is((await from("203.0.113.1")).status, 200)
  })
})

proxies(
  "the proxy maintenance answers with 503 while maintenance is on, except for allowed addresses and the health check",
  async () => {
    const env = { MAINTENANCE: "true", MAINTENANCE_ALLOW: "203.0.113.7, 10.0.0.0/8,2001:db8::/32" }
    await withProxy("maintenance", env, async (started) => {
      const readStatus = async (address: string, path = "/page") =>
        (await ask(started, path, { "x-forwarded-for": address })).status
      const allowed = ["203.0.113.7", "10.255.0.1", "2001:db8:5::1"]
      const others = ["203.0.113.8", "11.0.0.1", "2001:db9::1", "127.0.0.1"]
      for (const address of allowed) assert.is(await readStatus(address), 200, address)
      for (const address of others) assert.is(await readStatus(address), 503, address)
      assert.is(await readStatus("203.0.113.8", "/api/health"), 200)
      // The status is not 503, because the app has no app.health().
      for (const path of ["/health/live", "/health/ready"]) assert.is(await readStatus("203.0.113.8", path), 404)
      const down = await ask(started, "/nowhere")
      assert.equal([down.status, down.headers["retry-after"]], [503, "600"])
      assert.equal(JSON.parse(down.body), { error: "service_unavailable", message: "down for maintenance" })
    })
    await withProxy("maintenance", {}, async (started) => {
      assert.is((await ask(started, "/page")).status, 200)
    })
    const wrong = await bundle("proxies/maintenance")
    for (const range of ["10.0.0.0/33", "10.0.0/8", "::1/129", "1.2.3.4/8/8", "1.2.3.4/", "::ffff:10.0.0.0/8"])
      assert.match(
        await fails(wrong, { MAINTENANCE_ALLOW: range }),
        `MAINTENANCE_ALLOW holds "${range}", which is neither`,
      )
  },
)

proxies("the proxy redirect-www redirects only the other spelling of the host, with path and query", async () => {
  await withProxy("redirect-www", { SITE_URL: "https://shop.example" }, async (started) => {
    const from = (host: string, target: string) => ask(started, target, { host })
    for (const target of [
      "/page?a=b&c=%20",
      "POST /a/%2F/b?next=https://evil.example",
      "/nowhere",
      "//evil.example/x",
    ]) {
      const { status, headers } = await from("WWW.shop.example", target)
      assert.equal([status, headers.location], [308, `https://shop.example${target.replace("POST ", "")}`])
    }
    for (const host of ["shop.example", "www.evil.example", "www.shop.example.evil.example", "localhost"]) {
      const { status, headers } = await from(host, "/page")
      assert.equal([status, headers.location], [200, undefined], host)
    }
  })
  await withProxy("redirect-www", { SITE_URL: "http://www.shop.example:8080/" }, async (started) => {
    const { status, headers } = await ask(started, "/page", { host: "shop.example:8080" })
    assert.equal([status, headers.location], [308, "http://www.shop.example:8080/page"])
  })
  await withProxy("redirect-www", {}, async (started) => {
    assert.is((await ask(started, "/page", { host: "www.shop.example" })).status, 200)
  })
  const wrong = await bundle("proxies/redirect-www")
  for (const url of ["shop.example", "https://shop.example/path", "ftp://shop.example"])
    assert.match(await fails(wrong, { SITE_URL: url }), "which is not a site's address")
})

proxies.run()
