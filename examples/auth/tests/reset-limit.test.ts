/** Tests of the limit on mails to one address. */
import "./support/few.ts"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { app } from "./support/app.ts"

const test = suite("limit on resets")

test("an address gets only a few mails per hour, whether it has an account or not, and from any client", async () => {
  const ask = async (email: string, client: number) => {
    const init = { method: "POST", body: new URLSearchParams({ email }) }
    return (await app.request("/forgot", init, { clientIP: `192.0.2.${client}` })).status
  }
  const statuses = []
  for (const client of [1, 2, 3])
    statuses.push(await ask(`Nobody@Example.com${client === 2 ? " " : ""}`, client))
  assert.equal(statuses, [303, 303, 429], "two of three attempts")
  assert.is(await ask("other@example.com", 4), 303)
})

test.run()
