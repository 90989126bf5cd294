/** Tests that the check of the examples' answers finds answers that do not match the document. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { Answers } from "../../support/bin/openapi/answers.ts"

const json = (schema: object) => ({ content: { "application/json": { schema } } })
const user = { $ref: "#/components/schemas/User" }
const rest = { parameters: [{ description: "The rest of the path" }] }
const answers = new Answers({
  paths: {
    "/users/{id}": {
      get: { responses: { 200: json(user), 204: {}, default: { $ref: "#/components/responses/Error" } } },
    },
    "/users/me": { get: { responses: { 200: json({ type: "string" }) } } },
    "/docs/{slug}": { get: { ...rest, responses: { 200: { content: { "*/*": {} } } } } },
  },
  components: {
    schemas: {
      User: { type: "object", properties: { id: { type: "string" }, next: user }, required: ["id"] },
    },
    responses: { Error: json({ type: "object", properties: { error: { type: "string" } } }) },
  } as object,
})

const rows: ReadonlyArray<
  readonly [path: string, status: number, body: unknown, problem: RegExp | null, type?: string]
> = [
  ["/users/1", 200, { id: "1" }, null],
  ["/users/1?q=x", 200, { id: "1", next: { id: "2" } }, null],
  ["/users/1", 200, { id: 1 }, /must be string/],
  ["/users/1", 200, {}, /required property 'id'/],
  ["/users/1", 200, { id: "1", more: 1 }, /additional properties/],
  ["/users/1", 200, { id: "1", next: { id: "2", more: 1 } }, /additional properties/],
  ["/users/1", 201, { id: "1" }, /answered 201, a status that the document does not have for get \/users\/\{id\}/],
  ["/users/1", 404, { error: "none" }, null],
  ["/users/1", 404, { error: 1 }, /must be string/],
  ["/users/1", 200, "text", /with text\/plain, but/, "text/plain"],
  ["/users/1", 200, null, /without a body/],
  ["/users/1", 204, null, null],
  ["/users/me", 200, "x", null],
  ["/users/me", 200, { id: "1" }, /must be string/],
  ["/docs/a/b", 200, "anything", null, "text/csv"],
  ["/elsewhere", 500, "anything", null],
]

for (const [path, status, body, problem, type = "application/json"] of rows) {
  test(`the answer ${status} of ${path} with ${JSON.stringify(body)} ${problem ? "does not match" : "matches"} the document`, async () => {
    const text = body === null ? null : type === "application/json" ? JSON.stringify(body) : String(body)
    const response = new Response(text, { status, headers: { "content-type": type } })
    const error = await answers.check("GET", path, response).then(
      () => null,
      (thrown: Error) => thrown.message,
    )
    if (problem) assert.match(error ?? "it fits", problem)
    else assert.is(error, null)
  })
}

test.run()
