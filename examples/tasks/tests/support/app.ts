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
export interface Exchange {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: RequestInit["body"]
  /** Sent as JSON. */
  readonly json?: unknown
  readonly status: number
  /** Expected headers; null for one that must be missing. */
  readonly responseHeaders?: Readonly<Record<string, string | RegExp | null>>
  /** Expected body, or a pattern that it matches. */
  readonly text?: string | RegExp
  /** Expected JSON of the body. */
  readonly data?: unknown
}

/** Sends one request. */
export async function send({
  method = "GET",
  path,
  headers,
  body,
  json,
}: Omit<Exchange, "status">): Promise<Response> {
  const contentType = json === undefined ? {} : { "content-type": "application/json" }
  const response = await app.request(path, {
    method,
    headers: { ...contentType, ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(body === undefined ? {} : { body }),
  })
  await answers.check(method, path, response)
  return response
}

/** Sends a request and returns the JSON of the response. */
export async function read<T>(request: Omit<Exchange, "status">): Promise<T> {
  return (await (await send(request)).json()) as T
}

/** Sends a request and checks the response. */
export async function check(exchange: Exchange): Promise<void> {
  const response = await send(exchange)
  const text = await response.text()
  const name = `${exchange.method ?? "GET"} ${exchange.path}`
  assert.is(response.status, exchange.status, `${name}: ${response.status} ${text}`)
  for (const [header, expected] of Object.entries(exchange.responseHeaders ?? {})) {
    const value = response.headers.get(header)
    if (expected instanceof RegExp) assert.match(value ?? "", expected, `${name}: ${header} is ${value}`)
    else assert.is(value, expected, `${name}: ${header} is ${value}`)
  }
  if (exchange.text instanceof RegExp) assert.match(text, exchange.text, `${name}: ${text}`)
  else if (exchange.text !== undefined) assert.is(text, exchange.text, name)
  if (exchange.data !== undefined) assert.equal(JSON.parse(text), exchange.data, name)
}

/** Creates a task for a test. */
export async function makeTask(
  input: object = { title: "Water the plants" },
): Promise<{ id: number; path: string }> {
  const { id } = await read<Task>({ method: "POST", path: "/api/tasks", json: input })
  return { id, path: `/api/tasks/${id}` }
}
