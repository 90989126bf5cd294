/**
 * Tests of three processes behind HAProxy with state in Redis: exact limits, and sessions that survive killed
 * processes and a killed Redis.
 */
import { Agent, request } from "node:http"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { deployFile } from "../support/docs/deploy-files.ts"
import { findFreePort } from "../support/free-port.ts"
import { startHAProxy } from "../support/store/haproxy.ts"
import { createTestServer, startRedis, startUntil, type TestServer } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

const site = fileURLToPath(new URL("../support/store/site.ts", import.meta.url))
const limit = 1_234

/** Returns the configuration in the documentation, with three processes. */
function configuration(port: number, sites: readonly number[]): string {
  const servers = sites.map((site) => `server s${site} 127.0.0.1:${site}`).join("\n  ")
  return deployFile("haproxy.cfg", {
    "bind :80": `bind 127.0.0.1:${port}`,
    "server one 127.0.0.1:3001\n": "",
    "server two 127.0.0.1:3002": servers,
  })
}

/** An answer that has arrived completely. */
interface Answer {
  readonly status: number
  readonly body: string
  readonly cookie: string | undefined
  readonly retryAfter: string | undefined
}

const agent = new Agent({ keepAlive: true })

function send(port: number, method: string, path: string, cookie = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = cookie === "" ? {} : { cookie }
    const sent = request({ port, host: "127.0.0.1", method, path, headers, agent }, (answer) => {
      let body = ""
      answer.setEncoding("utf8").on("data", (text) => {
        body += text
      })
      answer.once("error", reject).once("end", () => {
        const [set] = answer.headers["set-cookie"] ?? []
        const { statusCode: status = 0 } = answer
        resolve({ status, body, cookie: set?.split(";")[0], retryAfter: answer.headers["retry-after"] })
      })
    })
    sent.on("error", reject).end()
  })
}

const tests = suite("three processes behind HAProxy")
let redis: TestServer
let sites: TestServer[]
let balancer: TestServer

tests.before(async () => {
  process.env.FW_SECRETS = "a secret of the tests that is long enough"
  redis = await startRedis()
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  sites = await Promise.all(
    ports.map((port) =>
      createTestServer(port, `${site}.none`, () =>
        startUntil(
          process.execPath,
          [...process.execArgv, site, String(port), String(redis.port), String(limit)],
          /listening/,
        ),
      ),
    ),
  )
  const port = await findFreePort()
  balancer = await startHAProxy(port, configuration(port, ports))
})
tests.after(async () => {
  agent.destroy()
  for (const server of [balancer, ...sites, redis]) await server.end()
})

tests("exactly as many of 5,000 requests pass as the limit says", async () => {
  const answers: Answer[] = []
  // Many requests run at the same time, but few enough that a slow machine still answers HAProxy's health checks.
  while (answers.length < 5_000)
    answers.push(...(await Promise.all(Array.from({ length: 250 }, () => send(balancer.port, "GET", "/limited")))))
  const other = answers.filter(({ status }) => status !== 204 && status !== 429)
  assert.equal(other.slice(0, 3), [])
  assert.is(answers.filter(({ status }) => status === 204).length, limit)
})

/** Facts about the answers that visitors got. */
const seen = {
  answers: 0,
  refused: 0,
  wrong: [] as string[],
  /** True if everything runs again for good. */
  isUp: false,
  /** The largest number of consecutive refusals of one request, one second apart, while everything runs. */
  lateRefusals: 0,
}

/** A visitor that takes one step after the other, and knows which steps were confirmed. */
class Visitor {
  readonly #name: string
  readonly #confirmed: number[] = []
  #cookie = ""
  #step = 0
  constructor(name: string) {
    this.#name = name
  }

  /** Takes one step, repeats it after a refusal, and checks the session. */
  async go(): Promise<void> {
    const step = this.#step
    this.#step += 1
    const posted = await this.#patiently("POST", `/visit/${this.#name}/${step}`)
    this.#confirmed.push(step)
    if (posted.cookie) this.#cookie = posted.cookie
    await this.check()
  }

  async check(): Promise<void> {
    const { body } = await this.#patiently("GET", `/visit/${this.#step}`)
    const expected = JSON.stringify({ visitor: this.#name, steps: this.#confirmed })
    if (body !== expected) seen.wrong.push(`${body} instead of ${expected}`)
  }

  async #patiently(method: string, path: string): Promise<Answer> {
    for (let lateRefusals = 0; ; ) {
      const { isUp } = seen
      const answer = await send(balancer.port, method, path, this.#cookie).catch(() => undefined)
      // HAProxy has closed the connection, because the process of the request was killed.
      if (answer === undefined) continue
      if (answer.status === 200) {
        seen.answers += 1
        return answer
      }
      seen.refused += 1
      if (isUp) lateRefusals += 1
      seen.lateRefusals = Math.max(seen.lateRefusals, lateRefusals)
      if (answer.status !== 503 || answer.retryAfter !== "1")
        seen.wrong.push(`${method} ${path}: ${answer.status}, Retry-After ${answer.retryAfter}: ${answer.body}`)
      // A client waits like this if the header says so.
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

tests("no session is lost or mixed while processes and Redis are killed, and refusals are 503", async () => {
  const visitors = Array.from({ length: 1_000 }, (_, number) => new Visitor(String(number)))
  const visits = visitors.map(async (visitor) => {
    while (!seen.isUp) await visitor.go()
  })
  const answered = async (count: number) => {
    const goal = seen.answers + count
    await until(() => seen.answers >= goal)
  }
  try {
    await answered(300)
    for (const server of [...sites, redis]) {
      await server.kill()
      await server.start()
      await answered(300)
    }
    await redis.kill()
    const goal = seen.refused + 1_000
    await until(() => seen.refused >= goal)
    const { status, retryAfter } = await send(balancer.port, "GET", "/value")
    assert.equal([status, retryAfter], [503, "1"])
    await redis.start()
  } finally {
    seen.isUp = true
  }
  // Each visitor checks its session once more.
  await Promise.all(visits)
  assert.equal(seen.wrong.slice(0, 5), [])
  assert.ok(seen.lateRefusals <= 2, `a visitor was refused ${seen.lateRefusals} times after all was up again`)
})

tests.run()
