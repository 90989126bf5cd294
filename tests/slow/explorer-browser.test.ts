/** The explorer as a person uses it: a real browser, a document with everything in it, and a server that tells what it got. */
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ExplorerServer } from "../../bin/project/explorer-server.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { documentFor, type Echo, startEcho } from "../support/explored.ts"

const json = (schema: object) => ({ "application/json": { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const script = "<img src=x onerror=alert(1)><script>alert(1)</script>"

function shopAt(url: string, summary = "List the tasks") {
  const idle = { 204: { description: "No Content" } }
  return documentFor(url, {
    info: { title: `Shop ${script}`, version: "1", description: `About \`it\`.\n\n${script}` },
    tags: [{ name: "tasks", description: script }],
    paths: {
      "/tasks": {
        get: {
          tags: ["tasks"],
          summary,
          description: script,
          parameters: [
            { name: "page", in: "query", schema: { type: "integer", default: 1 } },
            { name: "x-trace", in: "header", schema: { type: "string" } },
          ],
          responses: { 200: { description: "OK", content: json({ type: "array", items: ref("Task") }) } },
        },
        post: {
          tags: ["tasks"],
          summary: "Add a task",
          security: [{ bearer: [] }],
          requestBody: { required: true, content: json(ref("Task")) },
          responses: { 201: { description: "Created", content: json(ref("Task")) } },
        },
      },
      "/files/{path}": {
        get: {
          summary: "Read a file",
          parameters: [
            { name: "path", in: "path", required: true, "x-catch-all": true, schema: { type: "string" } },
          ],
          responses: idle,
        },
      },
      "/upload": {
        post: {
          summary: "Upload",
          requestBody: {
            content: {
              "multipart/form-data": {
                schema: {
                  type: "object",
                  properties: { name: { type: "string" }, file: { type: "string", format: "binary" } },
                },
              },
            },
          },
          responses: idle,
        },
      },
    },
    components: {
      schemas: {
        Task: {
          type: "object",
          required: ["title"],
          properties: {
            title: { type: "string", description: script, maxLength: 80 },
            parent: ref("Task"),
            due: { type: ["string", "null"], format: "date-time" },
          },
        },
      },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  })
}

let app: Echo
let url: string
let explorer: ExplorerServer
let browser: TestBrowser
let guarded: GuardedPage
let page: Page

test.before(async () => {
  app = await startEcho({ "content-type": "application/json", "set-cookie": "sid=abc; HttpOnly" })
  url = `http://localhost:${app.port}`
  explorer = new ExplorerServer({ document: shopAt(url), problem: null })
  await explorer.listen(0)
  browser = await startBrowser()
})
test.after(async () => {
  await browser.stop()
  await explorer.close()
  app.close()
})
test.before.each(async () => {
  explorer.show({ document: shopAt(url), problem: null })
  guarded = await browser.page()
  page = guarded.page
  await page.goto(`http://localhost:${explorer.port}/docs`)
  await page.waitForSelector("h1")
})
test.after.each(() => guarded.close())

/** What the application was sent. */
async function sent() {
  await page.click("button.send")
  await page.waitForSelector(".response .status")
  return JSON.parse((await page.textContent(".response pre")) ?? "") as {
    method: string
    url: string
    headers: Record<string, string>
    body: string
  }
}

/** Opens an operation, and waits until it is what the page shows. */
async function open(summary: string): Promise<void> {
  await page.click(`nav a[title="${summary}"]`)
  await page.waitForSelector(`h1:has-text("${summary}")`)
}

test("a document's words are words: nothing of it runs", async () => {
  assert.match((await page.textContent("h1")) ?? "", script)
  await open("List the tasks")
  assert.match((await page.textContent(".about")) ?? "", script)
  assert.is(await page.locator("main img, main script").count(), 0)
})

test("operations are listed by tag, and found by any of their words", async () => {
  assert.equal(await page.locator("nav h2").allTextContents(), ["tasks", "Other"])
  await page.keyboard.press("/")
  await page.keyboard.type("add post")
  assert.is(await page.locator("nav a").count(), 1)
  await page.fill("#search", "nothing of that kind")
  assert.match((await page.textContent("nav")) ?? "", "No operation holds that")
})

test("a schema that holds itself opens a level at a time", async () => {
  await open("Add a task")
  const inner = page.locator(".case ul.properties details > summary")
  assert.is(await inner.count(), 1)
  await inner.first().click()
  await page.waitForSelector(".below .below, .below ul.properties")
  assert.is(await inner.count(), 2)
})

test("a request is sent with its parameters, credentials, body and cookies", async () => {
  await open("List the tasks")
  await page.fill('input[name="query page"]', "2")
  await page.fill('input[name="header x-trace"]', "abc")
  const first = await sent()
  assert.is(`${first.method} ${first.url}`, "GET /tasks?page=2")
  assert.is(first.headers["x-trace"], "abc")
  assert.is(first.headers.origin, undefined)
  await open("Add a task")
  await page.fill("input[type=password]", "secret")
  await page.fill("textarea", '{"title":"x"}')
  const second = await sent()
  assert.is(second.headers.authorization, "Bearer secret")
  assert.is(second.headers.cookie, "sid=abc")
  assert.is(second.headers["content-type"], "application/json")
  assert.is(second.body, '{"title":"x"}')
})

test("a catch-all keeps its slashes, and a form its file", async () => {
  await open("Read a file")
  await page.fill('input[name="path path"]', "a b/c")
  assert.is((await sent()).url, "/files/a%20b/c")
  await open("Upload")
  await page.fill("input[name=name]", "n")
  await page.setInputFiles("input[name=file]", {
    name: "f.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("inside"),
  })
  const { headers, body } = await sent()
  assert.match(headers["content-type"] ?? "", /^multipart\/form-data; boundary=/)
  assert.match(body, /filename="f\.txt"[\s\S]*inside/)
})

test("the page follows the document, and says what is wrong with the project", async () => {
  await open("List the tasks")
  explorer.show({ document: shopAt(url, "List every task"), problem: null })
  await page.waitForSelector("h1:has-text('List every task')")
  explorer.show({ document: shopAt(url), problem: "app/x.ts: broken" })
  await page.waitForSelector("#notice:has-text('app/x.ts: broken')")
})

test("nothing is sent elsewhere, and the page says why", async () => {
  explorer.show({ document: shopAt("https://api.example.com"), problem: null })
  await page.waitForSelector("p:has-text('api.example.com')")
  await open("List the tasks")
  assert.is(await page.isDisabled("button.send"), true)
  assert.match((await page.textContent(".request")) ?? "", "not on this machine")
  await page.click("text=As curl")
  await page.waitForSelector(".response pre:has-text('curl')")
})

test("on a phone the list is behind a button, and nothing is wider than the screen", async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  assert.is(await page.isVisible("nav"), false)
  await page.click("#menu")
  await open("Add a task")
  assert.is(await page.isVisible("nav"), false)
  const wide = await page.evaluate("document.documentElement.scrollWidth")
  assert.is(wide, 360)
})

test("a keyboard gets everywhere", async () => {
  await page.keyboard.press("Tab")
  assert.is(await page.evaluate("document.activeElement.textContent"), "Skip to the operation")
  await page.focus('nav a[title="Add a task"]')
  await page.keyboard.press("Enter")
  await page.waitForSelector("#main:focus h1:has-text('Add a task')")
  await page.keyboard.press("Tab")
  assert.is(await page.evaluate("document.activeElement.tagName"), "SUMMARY")
})

test.run()
