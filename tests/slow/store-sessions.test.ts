/**
 * Tests of sessions with three processes on each engine, and browsers that sign in and out while they send other
 * requests.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startPostgres } from "../support/store/postgres.ts"
import { endWithTest, startRedis } from "../support/store/server.ts"

process.env.FW_SECRETS = "a secret for tests of 32 bytes or more"
process.env.FW_LOG_LEVEL = "off"

const program = fileURLToPath(new URL("../support/store/sessions-program.ts", import.meta.url))

/** Starts a process, and returns its address. */
async function start(engine: string, place: string): Promise<readonly [ChildProcess, string]> {
  const child = fork(program, [engine, place], { stdio: ["ignore", "pipe", "inherit", "ipc"] })
  endWithTest(child)
  for await (const part of child.stdout ?? []) {
    const [, address] = /listening on (\S+)/.exec(String(part)) ?? []
    if (address) return [child, `http://${address}`]
  }
  throw new Error("the process has ended")
}

/** A browser. Each of its requests goes to the next process. */
class Browser {
  jar = ""
  readonly #addresses: readonly string[]
  #next: number
  constructor(addresses: readonly string[], next: number) {
    this.#addresses = addresses
    this.#next = next
  }

  /** Sends a request with a cookie, by default the current one. */
  async send(path: string, method = "POST", cookie = this.jar): Promise<Response> {
    const address = this.#addresses[this.#next++ % this.#addresses.length]
    const ask = () => fetch(`${address}${path}`, { method, headers: cookie ? { cookie } : {} })
    let answer = await ask()
    // On a busy machine, a store may be locked for longer than a request waits for it.
    while (answer.status === 503) answer = await ask()
    for (const line of answer.headers.getSetCookie())
      this.jar = line.includes("Max-Age=0") ? "" : (line.split(";")[0] ?? "")
    if (answer.status >= 400) throw new Error(`${path} was answered with ${answer.status}`)
    return answer
  }

  /** Returns the user, and the given names that have a value in the session. */
  async see(names: readonly string[], cookie = this.jar): Promise<{ subject: string | null; has: string[] }> {
    return (await this.send(`/see/${names.join(",")}`, "GET", cookie)).json() as Promise<{
      subject: string | null
      has: string[]
    }>
  }
}

const background = ["b1", "b2", "b3"]
const all = ["cart", "more", ...background]

/**
 * Sends an action between other requests that a page sends by itself, all with the cookie that the browser had
 * before.
 */
async function during(browser: Browser, act: string): Promise<string> {
  const before = browser.jar
  const writes = background.map((name) => browser.send(`/write/${name}`, "POST", before))
  await Promise.all([...writes, browser.send(act, "POST", before), browser.send("/see/cart", "GET", before)])
  return before
}

/** Lets one browser act as its user would. Returns the mistakes that it found. */
async function live(browser: Browser, user: string): Promise<readonly string[]> {
  const wrong: string[] = []
  const check = async (after: string, old: string, subject: string | null, names: readonly string[]) => {
    const [seen, past] = [await browser.see(all), await browser.see(all, old)]
    if (seen.subject !== subject) wrong.push(`${user} is ${seen.subject} after ${after}`)
    if (!names.every((name) => seen.has.includes(name))) wrong.push(`${user} has only ${seen.has} after ${after}`)
    if (subject === null && seen.has.length > 0) wrong.push(`${seen.has} are back after ${after}`)
    if (past.subject !== null) wrong.push(`the id before ${after} is ${past.subject}`)
  }
  await browser.send("/write/cart")
  await check("signing in", await during(browser, `/sign-in/${user}`), user, ["cart"])
  await during(browser, "/write/more")
  const { has } = await browser.see(all)
  if (has.length !== all.length) wrong.push(`${user} has only ${has} of ${all}`)
  await check("rotating", await during(browser, "/rotate"), user, all)
  await check("a change of the password", await during(browser, `/password/${user}`), user, all)
  await check("signing out", await during(browser, "/sign-out"), null, [])
  return wrong
}

const engines: Readonly<Record<string, () => Promise<{ place: string; end(): unknown }>>> = {
  async redis() {
    const server = await startRedis()
    return { place: String(server.port), end: () => server.end() }
  },
  async postgres() {
    const server = await startPostgres()
    return { place: String(server.port), end: () => server.end() }
  },
  async sqlite() {
    const directory = mkdtempSync(join(tmpdir(), "fw-sessions-"))
    const end = () => rmSync(directory, { recursive: true, force: true })
    return { place: join(directory, "state.db"), end }
  },
}

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: no request signs another user in or out, and no value is lost or comes back`, async () => {
    const { place, end } = await open()
    const processes = await Promise.all([1, 2, 3].map(() => start(engine, place)))
    try {
      const addresses = processes.map(([, address]) => address)
      const wrong: string[] = []
      for (let round = 0; round < 5; round++) {
        const lives = Array.from({ length: 10 }, (_, index) =>
          live(new Browser(addresses, index), `user${round}-${index}`),
        )
        wrong.push(...(await Promise.all(lives)).flat())
      }
      assert.equal(wrong, [])
    } finally {
      for (const [child] of processes) {
        const ended = once(child, "exit")
        child.kill("SIGKILL")
        await ended
      }
      await end()
    }
  })

test.run()
