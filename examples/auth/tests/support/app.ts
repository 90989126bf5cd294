/** The application as `fw` would serve it, and tables of requests to it. */
import "./env.ts"
import { readFileSync } from "node:fs"
import { testClient } from "fw/testing"
import * as assert from "uvu/assert"
import { Answers } from "../../../../tests/support/bin/openapi/answers.ts"
import routes from "../../.fw/routes.ts"
import app from "../../main.ts"

app.disableLogger()
await app.mount(routes)

export { app }

const { mails } = testClient(app)

/** Returns the mails to an address, oldest first. */
export function mailsTo(email: string) {
  return mails.filter(({ to }) => to[0]?.address === email)
}

/** The application's OpenAPI document, against which every response is checked. */
export const answers = new Answers(JSON.parse(readFileSync(".fw/openapi.json", "utf8")))

/** A request and the expected response. Fields that are left out are not checked. */
export interface Exchange {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A body that is sent as JSON. */
  readonly json?: unknown
  /** A body that is sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  /** Expected headers; null for one that must be missing. */
  readonly responseHeaders?: Readonly<Record<string, string | RegExp | null>>
  /** Expected JSON of the body. */
  readonly data?: unknown
  /** A pattern that the body must match. */
  readonly text?: RegExp
}

/** Sends one request. */
export async function send({
  method,
  path,
  headers,
  json,
  form,
  body,
}: Omit<Exchange, "status">): Promise<Response> {
  const sent = json === undefined ? (form ? new URLSearchParams(form) : body) : JSON.stringify(json)
  const contentType: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" }
  const methodToSend = method ?? (sent === undefined ? "GET" : "POST")
  const response = await app.request(path, {
    method: methodToSend,
    headers: { ...contentType, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
  await answers.check(methodToSend, path, response)
  return response
}

/** Sends a request and checks the response. */
export async function check(exchange: Exchange): Promise<Response> {
  const response = await send(exchange)
  const text = await response.clone().text()
  const name = `${exchange.method ?? ""} ${exchange.path} ${JSON.stringify(exchange.headers ?? {})}: ${response.status} ${text}`
  assert.is(response.status, exchange.status, name)
  for (const [header, expected] of Object.entries(exchange.responseHeaders ?? {})) {
    const value = response.headers.get(header)
    if (expected instanceof RegExp) assert.match(value ?? "", expected, `${name}: ${header} is ${value}`)
    else assert.is(value, expected, `${name}: ${header} is ${value}`)
  }
  if (exchange.text) assert.match(text, exchange.text, name)
  if (exchange.data !== undefined) assert.equal(JSON.parse(text), exchange.data, name)
  return response
}

let accounts = 0

/** Creates a user. */
export async function makeUser() {
  const { addUser } = await import("../../lib/auth/users.ts")
  accounts += 1
  const login = { email: `user${accounts}@example.com`, password: `password of ${accounts}` }
  const { id = "" } = { ...(await addUser(login)) }
  return { ...login, id }
}
