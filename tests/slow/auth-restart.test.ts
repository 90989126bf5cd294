/**
 * Logs in to examples/auth and out 60 times from 15 clients at once, while the process is restarted: no confirmed
 * login or logout is lost.
 */
import { type Agent, request } from "node:http"
import { join } from "node:path"
import { createClient } from "@libsql/client"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type AuthApp, startAuth, temporary } from "../support/examples/auth-app.ts"
import { findFreePort } from "../support/free-port.ts"

const clients = 15
const loginsEach = 4
const url = `file:${join(temporary(), "auth.db")}`
const env = { DATABASE_URL: url, AUTH_LOGIN_LIMIT: "100000" }

let port: number
let app: AuthApp
/** Clients that cannot connect wait for this promise while the process is replaced. */
let again: Promise<unknown> = Promise.resolve()

interface Answer {
  readonly status: number
  readonly cookies: string
  readonly location: string
}

/** Sends one request on its own connection. */
function once(method: string, path: string, { cookie = "", form }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = form && new URLSearchParams(form).toString()
    const typed = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
    const headers = { ...typed, ...(cookie && { cookie }), connection: "close" }
    const asked = request({
      host: "127.0.0.1",
      port,
      method,
      path,
      headers,
      agent: false as unknown as Agent,
    })
    asked.once("error", reject)
    asked.once("response", (response) => {
      response.resume()
      response.once("error", reject)
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          cookies: (response.headers["set-cookie"] ?? []).join(),
          location: response.headers.location ?? "",
        }),
      )
    })
    asked.end(body)
  })
}

interface Sent {
  readonly cookie?: string
  readonly form?: Readonly<Record<string, string>>
}

let refused = 0

/**
 * Sends a request, and repeats it while no process listens: a stopping program accepts no connection that it does
 * not answer.
 */
async function send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
  for (;;) {
    try {
      return await once(method, path, sent)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== "ECONNREFUSED" && code !== "ECONNRESET") throw error
      refused += 1
      assert.ok(refused < 10_000)
      await again
    }
  }
}

/** All sessions that a client got, and whether each was ended. */
const handed = new Map<string, { readonly ended: boolean }>()
const isOpen = async (id: string) => {
  const { status, location } = await send("GET", "/sessions", { cookie: id })
  if (status === 200) return true
  assert.equal([status, location], [303, "/login"])
  return false
}

async function logIn(form: Record<string, string>): Promise<string> {
  const { status, cookies } = await send("POST", "/login", { form })
  assert.is(status, 303)
  const id = /session=[\w.-]+/.exec(cookies)?.[0] as string
  assert.not.ok(handed.has(id), "a session was handed out twice")
  handed.set(id, { ended: false })
  return id
}

async function logOut(id: string): Promise<void> {
  const { status } = await send("POST", "/logout", { cookie: id })
  assert.is(status, 303)
  handed.set(id, { ended: true })
}

/** The number of logouts after which the program is restarted. */
const middle = (clients * loginsEach) / 4
let done = 0
let reachMiddle: () => void
const middleReached = new Promise<void>((resolve) => {
  reachMiddle = resolve
})

/**
 * Runs one client, which logs in and out in turn, keeps every fourth session, and checks that its sessions are in
 * the expected state.
 */
async function client(number: number): Promise<void> {
  const form = { email: `user${number}@example.com`, password: `password of ${number}` }
  let before = ""
  for (let i = 0; i < loginsEach; i++) {
    const id = await logIn(form)
    assert.ok(await isOpen(id), "a session was lost")
    if (before) assert.not.ok(await isOpen(before), "a session that was ended is back")
    if (i % 4 === 3) continue
    await logOut(id)
    assert.not.ok(await isOpen(id), "a session did not end")
    before = id
    done += 1
    if (done === middle) reachMiddle()
  }
}

test("logins and logouts stay valid over a restart", async () => {
  port = await findFreePort()
  app = await startAuth(port, env)
  for (let number = 0; number < clients; number++) {
    const form = { email: `user${number}@example.com`, password: `password of ${number}` }
    const { status, location } = await send("POST", "/signup", { form })
    assert.equal([status, location], [303, "/dashboard"])
  }
  const db = createClient({ url, timeout: 5000 })
  await db.execute("DELETE FROM sign_ins")

  const working = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  await Promise.race([middleReached, working])
  const stopped = app.stop()
  again = stopped.then(async () => {
    app = await startAuth(port, env)
  })
  assert.is(await stopped, 0)
  await again
  await working

  assert.is(handed.size, clients * loginsEach)
  assert.ok(refused > 0, "no client was refused during the restart")
  const kept = [...handed].filter(([, { ended }]) => !ended)
  assert.is(kept.length, (clients * loginsEach) / 4)
  const { rows } = await db.execute("SELECT count(*) AS n, count(DISTINCT id) AS d FROM sign_ins")
  assert.equal([rows[0]?.n, rows[0]?.d], [kept.length, kept.length])
  // The process is killed without a warning, but everything that it has confirmed is on the disk.
  assert.is(await app.stop("SIGKILL"), "SIGKILL")
  app = await startAuth(port, env)
  for (const [id, { ended }] of handed) assert.is(await isOpen(id), !ended)
  db.close()
  assert.is(await app.stop(), 0)
})

test.run()
