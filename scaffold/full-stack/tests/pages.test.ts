/** The pages: whole ones for browsers, parts of them for htmx, and what stands where a page is missing. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { app } from "./support/app.ts"

/** What a browser accepts. Without it, a mistake is answered as JSON. */
const html = { accept: "text/html" }

test("the start page is a whole document with its title, styles and script", async () => {
  const response = await app.request("/", { headers: html })
  const text = await response.text()
  assert.equal(response.status, 200)
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8")
  assert.match(text, /^<!doctype html>/)
  assert.match(text, /<title>My app<\/title>/)
  assert.match(text, /<link rel="stylesheet" href="\/static\/css\/output.css">/)
  const [, script = ""] = /<script src="([^"]+)"/.exec(text) ?? []
  assert.equal((await app.request(script)).status, 200)
})

test("htmx gets the page without its layout", async () => {
  const response = await app.request("/", {
    headers: { ...html, "hx-request": "true", "hx-request-type": "partial" },
  })
  const text = await response.text()
  assert.match(text, /id="clock"/)
  assert.doesNotMatch(text, /<html/)
})

test("a page that is not there is a page for browsers and JSON for programs", async () => {
  const page = await app.request("/nothing", { headers: html })
  assert.equal(page.status, 404)
  assert.match(await page.text(), /<h1[^>]*>There is nothing here/)
  const data = await app.request("/nothing", { headers: { accept: "application/json" } })
  assert.equal(data.status, 404)
  assert.match(await data.text(), /"error":"not_found"/)
})
