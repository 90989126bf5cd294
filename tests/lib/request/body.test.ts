/** Tests of request bodies in every way to send a request, and of limits that an app refuses. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, bodyLimit, FwError } from "../../../lib/index.ts"
import { bodyCases } from "../../support/contract/body.ts"
import { bodyCodingCases } from "../../support/contract/body-coding.ts"
import { bodyLimitCases } from "../../support/contract/body-limits.ts"
import { contract } from "../../support/contract/runner.ts"

contract([...bodyCases, ...bodyCodingCases, ...bodyLimitCases])

for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1", null]) {
  test(`body: a limit of ${limit} is refused`, () => {
    const isRefusal = (error: unknown) => error instanceof FwError && error.code === "app_options"
    assert.throws(() => bodyLimit(limit as number), isRefusal)
    assert.throws(() => new App({ bodyLimit: limit as number }), isRefusal)
  })
}

for (const options of [{ decompress: "gzip" }, { inflate: true }, { buffered: -1 }, null]) {
  test(`body: bodyLimit() refuses the options ${JSON.stringify(options)}`, () => {
    const isRefusal = (error: unknown) => error instanceof FwError && error.code === "app_options"
    assert.throws(() => bodyLimit(1, options as object), isRefusal)
  })
}

test("body: a body that was read before the app got it is a 500, and does not count as empty", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => c.string(200, `got ${await c.text()}`))
  const request = new Request("http://x/", { method: "POST", body: "hi" })
  await request.text()
  assert.is((await app.fetch(request)).status, 500)
})

for (const way of ["form", "stream"] as const) {
  test(`body: a form over the limit that is read as a ${way} is a 413, and causes no uncaught error`, async () => {
    const app = new App({ logger: false, bodyLimit: 1000 })
    app.post("/", async (c) => {
      if (way === "form") await c.form()
      else await c.request.arrayBuffer()
      return c.noContent()
    })
    const body = new FormData()
    for (let i = 0; i < 20; i++) body.set(`file${i}`, new File(["x".repeat(500)], "x.txt"))
    assert.is((await app.request("/", { method: "POST", body })).status, 413)
    // If a form is cancelled in such a turn, Node 24 still creates its next part, and fails with an uncaught error.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  })
}

test.run()
