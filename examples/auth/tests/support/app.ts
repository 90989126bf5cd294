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
export interface Claim {
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
  readonly gives?: Readonly<Record<string, string | RegExp | null>>
  /** Expected JSON, or a part of the text. */
  readonly data?: unknown
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
}: Omit<Claim, "status">): Promise<Response> {
  const sent = json === undefined ? (form ? new URLSearchParams(form) : body) : JSON.stringify(json)
  const typed: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" }
  const verb = method ?? (sent === undefined ? "GET" : "POST")
  const response = await app.request(path, {
    method: verb,
    headers: { ...typed, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
  await answers.check(verb, path, response)
  return response
}

/** Sends a request and checks the response. */
export async function check(claim: Claim): Promise<Response> {
  const response = await send(claim)
  const text = await response.clone().text()
  const name = `${claim.method ?? ""} ${claim.path} ${JSON.stringify(claim.headers ?? {})}: ${response.status} ${text}`
  assert.is(response.status, claim.status, name)
  for (const [header, wanted] of Object.entries(claim.gives ?? {})) {
    const given = response.headers.get(header)
    if (wanted instanceof RegExp) assert.match(given ?? "", wanted, `${name}: ${header} is ${given}`)
    else assert.is(given, wanted, `${name}: ${header} is ${given}`)
  }
  if (claim.text) assert.match(text, claim.text, name)
  if (claim.data !== undefined) assert.equal(JSON.parse(text), claim.data, name)
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
