/** Tests of the API: requests to the application, and their responses. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { app } from "./support/app.ts"

test("the application responds", async () => {
  const response = await app.request("/api/health")
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { status: "ok" })
})

test("an unknown path is a 404 with a reason", async () => {
  // A path below /api, because a proxy that asks for a login would answer other unknown paths before they are routed.
  const response = await app.request("/api/health/nothing")
  assert.equal(response.status, 404)
  assert.match(await response.text(), /"error":"not_found"/)
})

test("an unsupported method is a 405 that lists the others", async () => {
  const response = await app.request("/api/health", { method: "DELETE" })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS")
})

test("a page of another site cannot change anything", async () => {
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const response = await app.request("/api/health", { method: "POST", headers })
  assert.equal(response.status, 403)
})

test("browsers load scripts only from this application", async () => {
  const response = await app.request("/api/health")
  assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'self'/)
})

test("every response has an id to find it in the logs", async () => {
  const response = await app.request("/api/health")
  assert.match(response.headers.get("x-request-id") ?? "", /^[\w-]{8,}$/)
})
