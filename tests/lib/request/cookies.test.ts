/** Runs the contract's cases of cookies that are set and read, in every way to send a request. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import { cookieCases } from "../../support/contract/cookies.ts"
import { contract } from "../../support/contract/runner.ts"
import { signedCookieCases } from "../../support/contract/signed-cookies.ts"

contract(cookieCases)
contract(signedCookieCases)

test("signed cookies are set in the order of the calls, whichever signature is ready first", async () => {
  const { subtle } = crypto
  const { sign } = subtle
  let release = () => {}
  const second = new Promise<void>((resolve) => {
    release = resolve
  })
  let calls = 0
  subtle.sign = async (...given: Parameters<typeof sign>) => {
    calls += 1
    const isFirst = calls === 1
    const signature = await sign.apply(subtle, given)
    if (isFirst) await second
    else release()
    return signature
  }
  const app = new App({ logger: false })
  app.get("/", (c) => {
    c.setCookie({ name: "a", value: "old", signed: true })
    c.setCookie({ name: "a", value: "new", signed: true })
    return c.noContent()
  })
  const answer = await app.request("/", {}, { env: { FW_SECRETS: "a secret for tests of 32 bytes or more" } })
  subtle.sign = sign
  const lines = answer.headers.getSetCookie()
  assert.equal(
    lines.map((line) => line.slice(0, line.indexOf("."))),
    ["a=old", "a=new"],
  )
})

for (const [what, secrets] of [
  ["a short secret", "hunter2"],
  ["a secret of few characters", "abc".repeat(20)],
  [
    "a secret that repeats a word, after a good one",
    `a secret for tests of 32 bytes or more,${"Password1234".repeat(3)}`,
  ],
] as const)
  test(`a program with ${what} does not start, although nothing is signed`, async () => {
    const before = process.env.FW_SECRETS
    process.env.FW_SECRETS = secrets
    try {
      const refused = await new App({ logger: false }).listen("127.0.0.1:0").catch((error) => error)
      assert.is(refused?.code, "secrets")
      assert.not.match(refused.message, /hunter2|abc|Password/)
    } finally {
      if (before === undefined) delete process.env.FW_SECRETS
      else process.env.FW_SECRETS = before
    }
  })

test.run()
