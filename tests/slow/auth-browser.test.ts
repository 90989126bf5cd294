/**
 * Tests of examples/auth with a keyboard in Chromium, and with a strict OpenID provider that is set up like
 * Google's.
 */
import { join } from "node:path"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { type AuthApp, type GoogleLike, startAuth, startGoogle, temporary } from "../support/examples/auth-app.ts"
import { findFreePort } from "../support/free-port.ts"

const ada = { sub: "107", email: "ada@gmail.example", email_verified: true, name: "Ada", picture: "" }
const eve = { sub: "108", email: "eve@gmail.example", email_verified: false, name: "Eve", picture: "" }

let app: AuthApp
let google: GoogleLike
let browser: TestBrowser

test.before(async () => {
  const port = await findFreePort()
  const redirectURL = `http://localhost:${port}/api/auth/google/callback`
  google = await startGoogle(redirectURL, [ada, eve])
  ;[app, browser] = await Promise.all([
    startAuth(port, {
      DATABASE_URL: `file:${join(temporary(), "auth.db")}`,
      AUTH_LOGIN_LIMIT: "100",
      GOOGLE_ISSUER: google.issuer,
      GOOGLE_CLIENT_ID: google.clientID,
      GOOGLE_CLIENT_SECRET: google.clientSecret,
    }),
    startBrowser(),
  ])
})

test.after(async () => {
  await browser.stop()
  google.stop()
  assert.is(await app.stop(), 0)
})

/** Runs a test with its own browser. */
function step(name: string, run: (page: Page, guarded: GuardedPage) => Promise<void>, expected?: RegExp): void {
  test(name, async () => {
    const guarded = await browser.page(expected ? { expected } : {})
    await run(guarded.page, guarded)
    await guarded.close()
  })
}

/** Waits until the page is drawn. Before that no field has the focus, and pressed keys are lost. */
const drawn = (page: Page) =>
  page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")

async function focused(page: Page): Promise<string> {
  await drawn(page)
  return page.evaluate<string>("document.activeElement.id || document.activeElement.textContent.trim()")
}

/** Types a text, and waits before each key until the field shows the earlier ones. */
async function type(page: Page, text: string): Promise<void> {
  await drawn(page)
  await page.keyboard.type(text)
  assert.is(await page.evaluate("document.activeElement.value"), text)
}

/** Code that waits for the next frame, and then for all transitions that it started. */
const settled = `new Promise(requestAnimationFrame)
  .then(() => new Promise(requestAnimationFrame))
  .then(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))
  .then(() => undefined)`

/**
 * Checks that axe finds no problem and that nothing is wider than the window: on a phone and a desktop screen, in
 * light and in dark colours.
 */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      // Colours and sizes change gradually, so they must not be checked during a transition.
      await page.evaluate(settled)
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), `${name} at ${width}`)
      await page.evaluate(axe.source)
      const found = await page.evaluate<string[]>(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))",
      )
      assert.equal(found, [], `${name} at ${width}, ${colorScheme}`)
      if (process.env.SCREENSHOTS)
        await page.screenshot({
          path: join(process.env.SCREENSHOTS, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        })
    }
  }
}

/** Goes to Google and comes back, or to the page to which the last button leads. */
async function throughGoogle(page: Page, email: string, last = "Allow"): Promise<void> {
  await page.goto(`${app.origin}/login`)
  await page.getByRole("link", { name: "Continue with Google" }).click()
  await page.getByRole("heading", { name: "Sign in with Google" }).waitFor()
  assert.match(page.url(), google.issuer)
  await page.getByLabel("Email").fill(email)
  await page.getByRole("button", { name: "Next" }).click()
  await page.getByRole("button", { name: last }).click()
}

step("signing in with Google leads to the dashboard, lists the session, and can be ended", async (page) => {
  await throughGoogle(page, ada.email)
  await page.waitForURL(`${app.origin}/dashboard`)
  await page.getByRole("heading", { name: "Dashboard" }).waitFor()
  await page.getByText(ada.email).waitFor()
  await look(page, "dashboard")
  await page.getByRole("link", { name: "Sessions" }).click()
  await page.getByText("Chrome on Linux (this one)").waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("status").filter({ hasText: "You are signed out." }).waitFor()
  await page.goto(`${app.origin}/dashboard`)
  assert.is(page.url(), `${app.origin}/login`)
  // The back button must not show the page behind the login.
  await page.goBack()
  await page.goBack()
  assert.not.match(await page.content(), ada.email)
  assert.equal(google.exchanges.at(-1), { status: 200, error: "" })
})

step("a code that the provider refuses as used or expired is a 500 without a session", async (page, { context }) => {
  let callback = ""
  page.on("request", (request) => {
    if (request.url().includes("/callback?")) callback = request.url()
  })
  await throughGoogle(page, ada.email)
  await page.waitForURL(`${app.origin}/dashboard`)
  const code = new URL(callback).searchParams.get("code") ?? ""
  const cookies = await context.cookies(app.origin)
  assert.equal(
    // Cookies with `_` belong to the provider, which has the same host.
    cookies
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("_"))
      .sort(),
    ["device", "session"],
  )

  /** Starts a login, and returns from the provider with the given code. */
  const comeBack = async (chosen: string) => {
    const start = await fetch(`${app.origin}/api/auth/google`, { redirect: "manual" })
    const state = new URL(start.headers.get("location") ?? "").searchParams.get("state")
    const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const url = `${app.origin}/api/auth/google/callback?code=${chosen}&state=${state}`
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } })
    assert.is((await fetch(`${app.origin}/dashboard`, { redirect: "manual", headers: { cookie } })).status, 303)
    return { status: answer.status, body: await answer.json() }
  }
  const failed = { status: 500, body: { error: "internal_server_error", message: "signing in with Google failed" } }
  for (const wrong of [code, "x", ""]) {
    if (wrong === "") assert.is((await comeBack(wrong)).status, 400)
    else assert.equal(await comeBack(wrong), failed)
  }
  assert.equal(google.exchanges.at(-1), { status: 400, error: "invalid_grant" })
  assert.match(
    app.output(),
    /signing in with Google failed: it did not give tokens for the code \(400, invalid_grant\)/,
  )
  assert.not.ok(app.output().includes(google.clientSecret))
})

step(
  "if a code expires on the way, the page says so, and the next attempt works",
  async (page) => {
    google.expireNext()
    await throughGoogle(page, ada.email)
    await page.getByRole("heading", { name: "Something went wrong" }).waitFor()
    await look(page, "failed")
    await page.getByRole("link", { name: "To the sign-in" }).click()
    await page.getByRole("link", { name: "Continue with Google" }).click()
    await page.waitForURL(`${app.origin}/dashboard`)
  },
  /status of 500/,
)

step("cancelling at Google leads back to the login", async (page) => {
  await throughGoogle(page, ada.email, "Cancel")
  await page.waitForURL(`${app.origin}/login`)
})

step(
  "an address that Google has not verified is refused",
  async (page) => {
    await throughGoogle(page, eve.email)
    await page.getByText("Google does not vouch for this email address.").waitFor()
  },
  /status of 403/,
)

step(
  "signing up, a wrong password, keys and sessions work by keyboard only",
  async (page) => {
    await page.goto(app.origin)
    await look(page, "start")
    await page.keyboard.press("Tab")
    assert.is(await focused(page), "Skip to content")
    await page.goto(`${app.origin}/signup`)
    assert.is(await focused(page), "email")
    await look(page, "signup")
    await type(page, "grace@example.com")
    await page.keyboard.press("Tab")
    await type(page, "a few good words")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${app.origin}/dashboard`)
    await page.getByRole("button", { name: "Sign out" }).press("Enter")
    await page.waitForURL(`${app.origin}/login`)

    await type(page, "grace@example.com")
    await page.keyboard.press("Tab")
    await type(page, "wrong")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").filter({ hasText: "The email address or the password is not right." }).waitFor()
    assert.match(await page.title(), /^Not signed in/)
    assert.is(await focused(page), "password")
    await page.getByRole("button", { name: "Use a passkey" }).waitFor()
    await look(page, "login-wrong")
    assert.is(await focused(page), "password")
    await type(page, "a few good words")
    await page.keyboard.press("Enter")
    await page.waitForURL(`${app.origin}/dashboard`)

    await page.getByRole("link", { name: "API keys" }).press("Enter")
    await page.getByLabel("Name of the service").fill("Reports of the night shift, in both halls and the yard")
    await page.keyboard.press("Enter")
    const shown = await page.getByRole("status").filter({ hasText: "not shown again" }).textContent()
    const [key] = /ak_\w+/.exec(shown ?? "") ?? []
    await look(page, "keys")
    const whoami = () => fetch(`${app.origin}/api/service/whoami`, { headers: { "x-api-key": key ?? "" } })
    assert.is((await whoami()).status, 200)
    await page.reload()
    assert.not.match(await page.content(), key ?? "")
    await page.getByRole("button", { name: /^Revoke the key of Reports/ }).press("Enter")
    await page.getByText("The key is gone").waitFor()
    assert.is((await whoami()).status, 401)

    const form = {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ email: "grace@example.com", password: "a few good words" }),
    } as const
    for (const agent of ["curl/8", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"])
      await fetch(`${app.origin}/login`, { ...form, headers: { "user-agent": agent } })
    await page.getByRole("link", { name: "Passkeys" }).press("Enter")
    await page.getByRole("button", { name: "Add a passkey" }).waitFor()
    await look(page, "passkeys")
    await page.getByRole("link", { name: "Sessions" }).press("Enter")
    await look(page, "sessions")
    await page.getByRole("button", { name: /^End the session of curl/ }).press("Enter")
    await page.getByText("The session has ended.").waitFor()
    await page.getByRole("button", { name: "End all others" }).press("Enter")
    await page.getByText("All other sessions have ended.").waitFor()
    assert.is(await page.getByRole("listitem").filter({ hasText: "since" }).count(), 1)
  },
  /status of 422/,
)

test.run()
