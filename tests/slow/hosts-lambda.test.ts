/**
 * Tests of the recipes in docs/operations/hosts.md for AWS Lambda, with Lambda's own Node runtime and a local
 * server of its Runtime API.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startFunction } from "../support/adapters/lambda-api.ts"
import { listFiles, recipeProject } from "../support/bin/new/recipes.ts"

const own = `import { lambdaStreamHandler } from "fw/lambda"
import { App } from "fw"

const app = new App()
app.get("/held", (c) => c.stream(200, held(), "text/plain"))
async function* held() {
  yield "first"
  await new Promise(() => {})
  yield "second"
}
app.get("/broken", (c) => c.stream(200, broken(), "text/plain"))
async function* broken() {
  yield "half"
  throw new Error("on purpose")
}
app.get("/empty", (c) => { c.setCookie({ name: "a", value: "1" }); c.setCookie({ name: "b", value: "2" }); return c.noContent() })
app.get("/nothing", (c) => c.stream(200, (async function* () {})(), "text/plain"))
app.get("/events", (c) => c.sse(async (events) => { for (const n of [1, 2]) await events.send({ data: n }) }))
app.get("/large", (c) => c.blob(200, "application/octet-stream", new Uint8Array(8_000_000).fill(97)))
app.get("/later", (c) => { c.waitUntil(new Promise(setImmediate).then(() => console.error("later done"))); return c.string(200, "x") })
app.get("/bug", () => { throw new Error("on purpose") })
export const handler = lambdaStreamHandler(app)
`

const { folder } = await recipeProject({ ...listFiles("AWS Lambda"), "own.js": own }, ["aws-lambda-ric"])

function event(request: string, body?: string): object {
  const [method, rawPath] = request.split(" ")
  return {
    version: "2.0",
    rawPath,
    rawQueryString: "",
    headers: {
      host: "abc.lambda-url.eu-west-1.on.aws",
      "x-forwarded-proto": "https",
      "content-type": "application/json",
    },
    requestContext: {
      domainName: "abc.lambda-url.eu-west-1.on.aws",
      stage: "$default",
      http: { method, sourceIp: "203.0.113.7" },
    },
    body,
    isBase64Encoded: false,
  }
}

test("an app answers invocations one after the other", async () => {
  const { invoke, stop } = await startFunction(folder, "lambda.handler")
  try {
    for (let i = 0; i < 3; i++) {
      const { body } = await invoke(event("GET /api/hello/ada"))
      const { statusCode, body: text, headers } = JSON.parse(body)
      assert.equal([statusCode, JSON.parse(text)], [200, { hello: "ada", client: "203.0.113.7" }])
      assert.is(headers["content-type"], "application/json")
    }
    assert.is(JSON.parse((await invoke(event("POST /api/echo", '{"é":1}'))).body).body, '{"é":1}')
    assert.is(JSON.parse((await invoke(event("GET /api/count"))).body).body, "one two three")
    assert.is(JSON.parse((await invoke(event("GET /none"))).body).statusCode, 404)
    assert.match((await invoke({ Records: [] })).error ?? "", /not an HTTP request/)
    assert.is(JSON.parse((await invoke(event("GET /none"))).body).statusCode, 404)
  } finally {
    stop()
  }
})

test("an app can stream its answer", async () => {
  const { invoke, stop } = await startFunction(folder, "stream.handler")
  try {
    const { head, body } = await invoke(event("GET /api/count"))
    assert.equal([head?.statusCode, head?.headers["content-type"], body], [200, "text/plain", "one two three"])
    assert.is((await invoke(event("POST /api/echo", '{"a":1}'))).body, '{"a":1}')
    assert.is((await invoke(event("GET /api/hello/ada/"))).head?.headers.location, "../ada")
  } finally {
    stop()
  }
})

test("streamed answers have their status, cookies and body, also if they are empty or fail", async () => {
  const { invoke, stop } = await startFunction(folder, "own.handler")
  try {
    const empty = await invoke(event("GET /empty"))
    assert.equal([empty.head?.statusCode, empty.head?.cookies, empty.body], [204, ["a=1; Path=/", "b=2; Path=/"], ""])
    const nothing = await invoke(event("GET /nothing"))
    assert.equal([nothing.head?.statusCode, nothing.body], [200, ""])
    assert.is((await invoke(event("GET /events"))).body, "data: 1\n\ndata: 2\n\n")
    assert.is((await invoke(event("GET /large"))).body.length, 8_000_000)
    assert.is((await invoke(event("GET /later"))).body, "x")
    assert.is((await invoke(event("GET /bug"))).head?.statusCode, 500)
    const broken = await invoke(event("GET /broken"))
    assert.is(broken.body, "half")
    assert.ok(broken.error, "the runtime does not say that the answer broke off")
    assert.is(
      (await invoke(event("GET /empty"))).head?.statusCode,
      204,
      "the invocation after a broken answer got no answer",
    )
  } finally {
    stop()
  }
})

test("the first chunk of a stream is sent before the second exists", async () => {
  const { invoke, stop } = await startFunction(folder, "own.handler")
  const first = new Promise<string>((resolve) => {
    // This call ends with the function, before the answer is complete.
    invoke(event("GET /held"), resolve).catch(() => {})
  })
  try {
    // The rest of the answer never arrives.
    assert.is(await first, "first")
  } finally {
    stop()
  }
})

test.run()
