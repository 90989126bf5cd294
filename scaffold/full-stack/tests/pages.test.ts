/** Tests of the pages: whole pages for browsers, parts of pages for htmx, and error pages. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { app } from "./support/app.ts"

/** The Accept header of a browser. Without it, the app sends errors as JSON. */
const html = { accept: "text/html" }

test("the start page is a complete document with its title, styles and script", async () => {
  const response = await app.request("/", { headers: html })
  const text = await response.text()
  assert.equal(response.status, 200)
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8")
  assert.match(text, /^<!doctype html>/)
  assert.match(text, /<title>[^<]+<\/title>/)
  assert.match(text, /<link rel="stylesheet"/)
  for (const [, script = ""] of text.matchAll(/<script src="(\/[^"]+)"/g))
    assert.equal((await app.request(script)).status, 200, script)
})

test("htmx gets the page without its layout", async () => {
  const response = await app.request("/", {
    headers: { ...html, "hx-request": "true", "hx-request-type": "partial" },
  })
  const text = await response.text()
  assert.equal(response.status, 200)
  assert.notEqual(text, "")
  assert.doesNotMatch(text, /<html/)
})

test("a missing page is an HTML page for browsers and JSON for programs", async () => {
  const page = await app.request("/nothing", { headers: html })
  assert.equal(page.status, 404)
  assert.match(await page.text(), /^<!doctype html>/)
  const data = await app.request("/nothing", { headers: { accept: "application/json" } })
  assert.equal(data.status, 404)
  assert.match(await data.text(), /"error":"not_found"/)
})
