/**
 * Tests of passkeys in examples/auth with the virtual authenticator of Chromium: adding, signing in, removing, and
 * what is refused.
 */
import { join } from "node:path"
import type { CDPSession, Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { startBrowser, type TestBrowser } from "../support/browser.ts"
import { type AuthApp, startAuth, temporary } from "../support/examples/auth-app.ts"
import { findFreePort } from "../support/free-port.ts"

let app: AuthApp
/** A server with the same users, but with another public address than the one in the browser. */
let elsewhere: AuthApp
let browser: TestBrowser

test.before(async () => {
  const env = { DATABASE_URL: `file:${join(temporary(), "auth.db")}`, AUTH_LOGIN_LIMIT: "100" }
  app = await startAuth(await findFreePort(), env)
  ;[elsewhere, browser] = await Promise.all([
    startAuth(await findFreePort(), { ...env, AUTH_ORIGIN: "https://localhost" }),
    startBrowser(),
  ])
})

test.after(async () => {
  await browser.stop()
  assert.is(await app.stop(), 0)
  assert.is(await elsewhere.stop(), 0)
})

/** Gives the page's browser an authenticator. The user touches it only after `touch(true)`. */
async function withAuthenticator(page: Page) {
  await page.addInitScript(
    'if (localStorage.offer === "off") PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send("WebAuthn.enable")
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  return {
    touch: (enabled: boolean) => cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    verify: (isUserVerified: boolean) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    credentials: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  }
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${app.origin}/signup`)
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill("a few good words")
  await page.getByRole("button", { name: "Sign up" }).click()
  await page.waitForURL(`${app.origin}/dashboard`)
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL(`${app.origin}/login`)
}

const answerSent = (page: Page) =>
  page.waitForRequest((request) => new URL(request.url()).pathname === "/api/auth/passkey")

/**
 * Turns the offer of the browser on or off, from the next page on. If the offer is on, it takes the touch that is
 * meant for the button.
 */
const offer = (page: Page, enabled: boolean) => page.evaluate(`localStorage.offer = "${enabled ? "on" : "off"}"`)

const button = (page: Page) => page.getByRole("button", { name: "Use a passkey" })

test("a passkey can be added, used by the button and by autofill, and removed", async () => {
  const { page, close } = await browser.page({ expected: /status of 401/ })
  const device = await withAuthenticator(page)
  await signUp(page, "ada@example.com")
  await page.getByRole("link", { name: "Passkeys" }).click()
  await device.touch(true)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("status").filter({ hasText: "The passkey is added." }).waitFor()
  await page.getByText("On one device", { exact: false }).waitFor()
  const [credential] = await device.credentials()
  assert.equal([credential?.isResidentCredential, credential?.rpId], [true, "localhost"])

  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("alert").filter({ hasText: "This device has a passkey for your account" }).waitFor()

  await device.touch(false)
  await offer(page, false)
  await signOut(page)
  const sent = answerSent(page)
  await device.touch(true)
  await button(page).click()
  await page.waitForURL(`${app.origin}/dashboard`)
  await page.getByText("ada@example.com").waitFor()
  const body = (await sent).postData() ?? ""

  // The same answer is sent again from the same browser, but its challenge was used.
  const cookies = (await page.context().cookies(app.origin))
    .filter(({ name }) => name === "session")
    .map(({ name, value }) => `${name}=${value}`)
  assert.is(cookies.length, 1)
  const again = await fetch(`${app.origin}/api/auth/passkey`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: cookies.join() },
    body,
  })
  assert.is(again.status, 401)
  assert.equal(again.headers.getSetCookie(), [])

  // The browser offers the passkey in the field, so the user touches the authenticator without pressing a button.
  await offer(page, true)
  await signOut(page)
  await page.waitForURL(`${app.origin}/dashboard`)

  await page.getByRole("link", { name: "Passkeys" }).click()
  await page.getByText("used", { exact: false }).first().waitFor()
  await page.getByRole("button", { name: /^Remove the passkey Chrome on Linux/ }).click()
  await page.getByRole("status").filter({ hasText: "The passkey is gone" }).waitFor()
  await device.touch(false)
  await offer(page, false)
  await signOut(page)
  await device.touch(true)
  await button(page).click()
  await page.getByRole("alert").filter({ hasText: "This passkey is not known here." }).waitFor()
  assert.is(page.url(), `${app.origin}/login`)
  await close()
})

test("an authenticator that does not verify its user, and a page at another address, are refused", async () => {
  const { page, close } = await browser.page({ expected: /status of 401/ })
  const device = await withAuthenticator(page)
  await signUp(page, "grace@example.com")
  await page.getByRole("link", { name: "Passkeys" }).click()
  await device.touch(true)
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("status").filter({ hasText: "The passkey is added." }).waitFor()
  await device.touch(false)
  await offer(page, false)
  await signOut(page)
  await device.verify(false)
  await device.touch(true)
  await button(page).click()
  await page.getByRole("alert").filter({ hasText: "That was cancelled" }).waitFor()

  await device.verify(true)
  await device.touch(false)
  // The domain is the same, so the browser answers. The address differs.
  await page.goto(`${elsewhere.origin}/login`)
  const sent = answerSent(page)
  await device.touch(true)
  await button(page).click()
  assert.is((await (await sent).response())?.status(), 401)
  await page.getByRole("alert").filter({ hasText: "This passkey is not known here." }).waitFor()
  await close()
})

test("without JavaScript, the pages offer the password only", async () => {
  const page = await (await fetch(`${app.origin}/login`)).text()
  assert.match(page, /<div\s+hidden\s+data-passkey="sign-in"/)
  assert.match(page, 'name="password"')
})

test.run()
