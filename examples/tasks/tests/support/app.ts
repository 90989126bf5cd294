/** The application as `fw` would serve it, and tables of requests to it. */
import "./env.ts"
import { readFileSync } from "node:fs"
import * as assert from "uvu/assert"
import { Answers } from "../../../../tests/support/bin/openapi/answers.ts"
import routes from "../../.fw/routes.ts"
import type { Task } from "../../lib/store.ts"
import app from "../../main.ts"

app.disableLogger()
await app.mount(routes)

export { app }

/** The application's OpenAPI document, against which every response is checked. */
export const answers = new Answers(JSON.parse(readFileSync(".fw/openapi.json", "utf8")))

/** A request and the expected response. Fields that are left out are not checked. */
export interface Claim {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RequestInit["body"]
  /** Sent as JSON. */
  readonly json?: unknown
  readonly status: number
  /** Expected headers; null for one that must be missing. */
  readonly gives?: Readonly<Record<string, string | RegExp | null>>
  /** Expected body: its text, a part of it, or, for anything else, its JSON. */
  readonly text?: string | RegExp
  readonly data?: unknown
}

/** Sends one request. */
export async function send({
  method = "GET",
  path,
  headers,
  body,
  json,
}: Omit<Claim, "status">): Promise<Response> {
  const typed = json === undefined ? {} : { "content-type": "application/json" }
  const response = await app.request(path, {
    method,
    headers: { ...typed, ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(body === undefined ? {} : { body }),
  })
  await answers.check(method, path, response)
  return response
}

/** Sends a request and returns the JSON of the response. */
export async function read<T>(request: Omit<Claim, "status">): Promise<T> {
  return (await (await send(request)).json()) as T
}

/** Sends a request and checks the response. */
export async function check(claim: Claim): Promise<void> {
  const response = await send(claim)
  const text = await response.text()
  const name = `${claim.method ?? "GET"} ${claim.path}`
  assert.is(response.status, claim.status, `${name}: ${response.status} ${text}`)
  for (const [header, wanted] of Object.entries(claim.gives ?? {})) {
    const given = response.headers.get(header)
    if (wanted instanceof RegExp) assert.match(given ?? "", wanted, `${name}: ${header} is ${given}`)
    else assert.is(given, wanted, `${name}: ${header} is ${given}`)
  }
  if (claim.text instanceof RegExp) assert.match(text, claim.text, `${name}: ${text}`)
  else if (claim.text !== undefined) assert.is(text, claim.text, name)
  if (claim.data !== undefined) assert.equal(JSON.parse(text), claim.data, name)
}

/** Creates a task for a test. */
export async function makeTask(
  input: object = { title: "Water the plants" },
): Promise<{ id: number; path: string }> {
  const { id } = await read<Task>({ method: "POST", path: "/api/tasks", json: input })
  return { id, path: `/api/tasks/${id}` }
}
