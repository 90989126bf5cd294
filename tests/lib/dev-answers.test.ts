/** Answers of `c.json()` as `fw dev` and `fw test` get them. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../lib/app.ts"
import { type JSONAnswer, listenToAnswers } from "../../lib/dev-answers.ts"

const test = suite("answers for a listener")
const heard: JSONAnswer[] = []

test.before(() => listenToAnswers((answer) => heard.push(answer)))
test.after(() => listenToAnswers(undefined))
test.before.each(() => {
  heard.length = 0
})

function makeApp(): App {
  const app = new App({ logger: false })
  app.get("/users/{id}", (c) => c.json(200, { id: c.param("id"), none: undefined, at: new Date(0) }))
  app.get("/text", (c) => c.string(200, "{}"))
  app.get("/broken", (c) => c.json(200, { id: 1n }))
  return app
}

test("a listener gets the route, the status and the body as it is sent", async () => {
  const answer = await makeApp().request("/users/7")
  const text = '{"id":"7","at":"1970-01-01T00:00:00.000Z"}'
  assert.is(await answer.text(), text)
  const [first, ...others] = heard
  assert.equal(others, [])
  const { data, ...sent } = first as JSONAnswer
  assert.equal(sent, { method: "GET", pattern: "/users/{id}", status: 200, text })
  assert.equal(data, { id: "7", none: undefined, at: new Date(0) })
})

test("answers that are not JSON, and a call that throws, are not passed on", async () => {
  const app = makeApp()
  const errors: unknown[] = []
  app.onError((c, error) => {
    errors.push(error)
    return c.string(500, "failed")
  })
  assert.is((await app.request("/text")).status, 200)
  assert.is((await app.request("/broken")).status, 500)
  assert.equal([errors.length, heard], [1, []])
})

test("without a listener the answer is the same", async () => {
  listenToAnswers(undefined)
  assert.is((await makeApp().request("/users/7")).status, 200)
  assert.equal(heard, [])
})

test.run()
