/** Tests of the mail about a sign-in in a new browser. */
import "./support/env.ts"
import { testClient } from "fw/testing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { app, makeUser } from "./support/app.ts"

const test = suite("devices")
const firefox = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0" }

/** Signs in, and returns the number of mails about new devices that this browser has caused so far. */
async function signIn(
  browser: ReturnType<typeof testClient>,
  { email, password }: Awaited<ReturnType<typeof makeUser>>,
) {
  const answer = await browser.request("/login", { form: { email, password } })
  assert.is(answer.status, 303)
  // The mail is sent after the answer, and before the answer to a request that uses the database.
  await browser.request("/dashboard")
  return browser.mails.filter(({ subject }) => subject.endsWith("on a new device")).length
}

test("the first sign-in in a browser sends a mail, unless the account is new", async () => {
  const [ada, bob] = [await makeUser(), await makeUser()]
  const [own, other] = [testClient(app), testClient(app, { headers: firefox, clientIP: "203.0.113.7" })]
  assert.is(await signIn(own, ada), 0)
  await db.sql`UPDATE users SET created_at = created_at - 600000`
  assert.is(await signIn(own, ada), 0)
  assert.is(await signIn(other, ada), 1)
  assert.is(await signIn(other, ada), 1)
  const [mail] = other.mails
  assert.equal(mail?.to, [{ name: "", address: ada.email }])
  assert.match(mail?.text ?? "", "Device: Firefox on Linux\nAddress: 203.0.113.7\n")
  // The browser is known for one user, but not for the other.
  assert.is(await signIn(other, bob), 2)
})

test.run()
