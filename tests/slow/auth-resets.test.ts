/** Tests of a forgotten password in examples/auth with Chromium, without JavaScript and with a mail server. */
import { join } from "node:path"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startBrowser, type TestBrowser } from "../support/browser.ts"
import { type AuthApp, startAuth, temporary } from "../support/examples/auth-app.ts"
import { findFreePort } from "../support/free-port.ts"
import { type MailServer, startMailServer } from "../support/mail/smtp.ts"

const ada = { email: "ada@example.com", password: "a few good words" }

let app: AuthApp
let mail: MailServer
let browser: TestBrowser

test.before(async () => {
  const port = await findFreePort()
  mail = await startMailServer()
  app = await startAuth(port, {
    NODE_ENV: "production",
    AUTH_JWT_SECRET: "a secret for tests, of 32 bytes or more",
    DATABASE_URL: `file:${join(temporary(), "auth.db")}`,
    AUTH_ORIGIN: `http://localhost:${port}`,
    AUTH_MAIL_URL: mail.url,
    AUTH_MAIL_FROM: "Auth <hello@auth.example>",
  })
  browser = await startBrowser()
})

test.after(async () => {
  await browser.stop()
  assert.is(await app.stop(), 0)
  await mail.stop()
})

/** Returns the problems that axe finds in a page, for which it needs JavaScript. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>("axe.run().then(({ violations }) => violations.map(({ id }) => id))")
}

const signUp = (origin: string) =>
  fetch(`${origin}/signup`, { method: "POST", redirect: "manual", body: new URLSearchParams(ada) })

test("without JavaScript, the link in the mail sets a new password once", async () => {
  const welcome = mail.next()
  assert.is((await signUp(app.origin)).status, 303)
  assert.match(await welcome, /\/verify\?token=/)
  const { page, close } = await browser.page({ noScript: true })
  const referrers: (string | undefined)[] = []
  page.on("request", (request) => referrers.push(request.headers().referer))
  await page.goto(`${app.origin}/login`)
  await page.getByRole("link", { name: "Forgot your password?" }).click()
  await page.getByLabel("Email").fill(ada.email)
  const sent = mail.next()
  await page.getByRole("button", { name: "Send the link" }).click()
  await page.getByRole("status").filter({ hasText: "a mail is on its way" }).waitFor()
  const text = await sent
  assert.match(text, /^To: ada@example\.com\r$/m)
  assert.match(text, /^From: Auth <hello@auth\.example>\r$/m)
  const [link = ""] = /http:\S+\/reset\/link\?token=\w{64}/.exec(text) ?? []
  assert.ok(link.startsWith(`${app.origin}/`), text)

  await page.goto(link)
  assert.is(page.url(), `${app.origin}/reset`)
  await page.getByLabel("New password").fill("another long one")
  const notice = mail.next()
  await page.getByRole("button", { name: "Set the password" }).click()
  await page.getByRole("status").filter({ hasText: "The new password is set." }).waitFor()
  assert.match(await notice, /was changed/)
  await page.getByLabel("Email").fill(ada.email)
  await page.getByLabel("Password").fill("another long one")
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${app.origin}/dashboard`)

  await page.goto(link)
  await page.getByText("This link is too old, or it was used already.").waitFor()
  assert.equal(
    referrers.filter((referrer) => referrer?.includes("token")),
    [],
  )
  assert.not.match(app.output(), /token=/)
  await close()
})

test("axe finds no problem on the pages, also after a mistake", async () => {
  const { page, close } = await browser.page({ expected: /status of 422/ })
  await page.goto(`${app.origin}/forgot`)
  assert.equal(await findings(page), [])
  const sent = mail.next()
  await page.getByLabel("Email").fill(ada.email)
  await page.getByRole("button", { name: "Send the link" }).click()
  await page.getByRole("status").waitFor()
  assert.equal(await findings(page), [])
  const [link = ""] = /http:\S+\/reset\/link\?token=\w{64}/.exec(await sent) ?? []
  await page.goto(link)
  assert.equal(await findings(page), [])
  // Turns off the check in the browser, so that the server has to refuse the password.
  await page.getByLabel("New password").fill("short")
  await page.evaluate("document.forms[0].noValidate = true")
  await page.getByRole("button", { name: "Set the password" }).click()
  await page.getByRole("alert").filter({ hasText: "A password has 8 to 256 characters." }).waitFor()
  assert.equal(await findings(page), [])
  await page.goto(`${app.origin}/reset/link?token=old`)
  await page.getByRole("link", { name: "Get a new one" }).waitFor()
  assert.equal(await findings(page), [])
  await close()
})

test.run()
