/** Tests of this application's own parts: its layout, and its limits. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, makeUser, send } from "./support/app.ts"
import { signIn } from "./support/sessions.ts"

const test = suite("site")

test("every page has a title, one main heading, a main element, and labels for its fields", async () => {
  const { headers } = await signIn()
  for (const path of [
    "/",
    "/login",
    "/signup",
    "/dashboard",
    "/sessions",
    "/keys",
    "/passkeys",
    "/invitations",
    "/none",
  ]) {
    const answer = await send({ path, headers: { ...headers, accept: "text/html" } })
    const text = await answer.text()
    assert.match(text, /<title>[^<]+ · Auth<\/title>/, path)
    assert.is(text.match(/<h1\b/g)?.length, 1, path)
    assert.match(text, /<main id="main"/, path)
    assert.match(text, /<html lang="en">/, path)
    for (const [, id] of text.matchAll(/<input id="(\w+)"/g)) assert.match(text, `<label for="${id}"`, path)
    const plain = text.replaceAll(/<script type="module" src="\/static\/[\w/.]+"><\/script>/g, "")
    assert.not.match(plain, /<script|style=|https?:\/\//, path)
  }
})

test("large bodies are refused", async () => {
  const { email } = await makeUser()
  await check({ path: "/api/auth", json: { email, password: "x".repeat(70_000) }, status: 413 })
})

test("the pages' policy allows nothing from other hosts", async () => {
  for (const path of ["/", "/login", "/none", "/api/health"]) {
    const { headers } = await send({ path })
    assert.match(headers.get("content-security-policy") ?? "", "default-src 'self'", path)
    assert.is(headers.get("x-content-type-options"), "nosniff")
  }
})

test.run()
