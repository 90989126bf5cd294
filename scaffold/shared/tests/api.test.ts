/** The API: requests to the application and what must come of them. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { app } from "./support/app.ts"

test("the application answers", async () => {
  const response = await app.request("/api/health")
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { status: "ok" })
})

test("an address that is not there is a 404 with a reason", async () => {
  const response = await app.request("/api/nothing")
  assert.equal(response.status, 404)
  assert.match(await response.text(), /"error":"not_found"/)
})

test("a method that is not there is a 405 that names the others", async () => {
  const response = await app.request("/api/health", { method: "DELETE" })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS")
})

test("a page of another site cannot change anything", async () => {
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const response = await app.request("/api/health", { method: "POST", headers })
  assert.equal(response.status, 403)
})

test("browsers are told to load scripts from this application only", async () => {
  const response = await app.request("/api/health")
  assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'self'/)
})

test("every answer has an id to find it by in the logs", async () => {
  const response = await app.request("/api/health")
  assert.match(response.headers.get("x-request-id") ?? "", /^[\w-]{8,}$/)
})
