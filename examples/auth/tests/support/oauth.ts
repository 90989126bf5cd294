/** Signs in with the provider, and collects its users, redirects and log lines. */
import "./provider.ts"

import { randomUUID } from "node:crypto"
import type { Test } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../../db/index.ts"
import { check } from "./app.ts"
import { callback, provider } from "./provider.ts"
import { readSession } from "./sessions.ts"

/** A user of the provider. */
export interface Person {
  readonly sub: string
  readonly email: string
  readonly email_verified?: unknown
  readonly name?: string
  readonly picture?: string
}

let people = 0

function somebody(): Person {
  people += 1
  const email = `person${people}@example.com`
  return { sub: randomUUID(), email, email_verified: true, name: "Ada", picture: "" }
}

/** The user of the next sign-in. */
export const signingIn = { person: somebody() }

// Sets the user record of the provider, and the same user in its ID token.
provider.service.on("beforeUserinfo", (answer) => Object.assign(answer, { body: { ...signingIn.person } }))
provider.service.on("beforeTokenSigning", ({ payload }) => {
  payload.sub = signingIn.person.sub
})

/** Calls of `console.error` in a test. */
export const errors: unknown[][] = []

/** Gives each test a new user and its own `console.error`; stops the provider after the last test. */
export function withProvider(test: Test): void {
  const { error } = console
  test.before.each(() => {
    signingIn.person = somebody()
    errors.length = 0
    console.error = (...parts) => errors.push(parts)
  })
  test.after.each(() => {
    console.error = error
  })
  test.after(() => provider.stop())
}

/** Follows the redirect to the provider and back. */
export async function startSignIn(browser: Record<string, string> = {}) {
  const answer = await check({ path: "/api/auth/google", headers: browser, status: 302 })
  const to = answer.headers.get("location") as string
  const back = (await fetch(to, { redirect: "manual" })).headers.get("location") as string
  assert.ok(back.startsWith(`${callback}?`), back)
  const headers = browser.cookie ? { cookie: browser.cookie } : readSession(answer)
  return {
    path: back.slice(callback.indexOf("/api")),
    state: new URL(to).searchParams.get("state") ?? "",
    to: new URL(to),
    headers,
  }
}

/** Returns the number of users. */
export const users = async () => Number((await db.sql`SELECT count(*) AS n FROM users`)[0]?.n)
