/** Bodies on every way in, and the limits that an app refuses. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, bodyLimit, FwError } from "../lib/index.ts"
import { bodyCases } from "./support/contract/body.ts"
import { bodyLimitCases } from "./support/contract/body-limits.ts"
import { contract } from "./support/contract/runner.ts"

contract([...bodyCases, ...bodyLimitCases])

for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1", null]) {
  test(`design 3.9: a limit of ${limit} is refused`, () => {
    const isRefusal = (error: unknown) => error instanceof FwError && error.code === "app_options"
    assert.throws(() => bodyLimit(limit as number), isRefusal)
    assert.throws(() => new App({ bodyLimit: limit as number }), isRefusal)
  })
}

test("design 3.9: a body that was read before the app got it is a bug, and no empty body", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => c.string(200, `got ${await c.text()}`))
  const request = new Request("http://x/", { method: "POST", body: "hi" })
  await request.text()
  assert.is((await app.fetch(request)).status, 500)
})

test.run()
