/**
 * Tests of the explorer in a real browser, with a document that uses all features, and a server that answers with
 * the request that it got.
 */
import { readFileSync } from "node:fs"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ExplorerServer } from "../../bin/explorer/server.ts"
import { documentFor, type Echo, startEcho } from "../support/bin/explorer/explored.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"

const json = (schema: object) => ({ "application/json": { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const script = "<img src=x onerror=alert(1)><script>alert(1)</script>"

/** Twelve schemas that each have lists of all others, as those of a database often do. */
const names = Array.from({ length: 12 }, (_, i) => `E${i}`)
const entities = Object.fromEntries(
  names.map((name) => {
    const lists = names.map((other) => [other, { type: "array", items: ref(other) }])
    return [name, { type: "object", properties: { id: { type: "integer" }, ...Object.fromEntries(lists) } }]
  }),
)

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
      "/shapes": {
        post: {
          summary: "Add a shape",
          requestBody: { required: true, content: json({ oneOf: [ref("Circle"), ref("Square")] }) },
          responses: {
            200: {
              description: "OK",
              content: json({
                type: "object",
                required: ["url", "area"],
                properties: {
                  url: { type: "integer" },
                  headers: { type: "object", additionalProperties: { type: "string" } },
                  meta: ref("Json"),
                },
              }),
            },
          },
        },
      },
      "/files/{path}": {
        get: {
          summary: "Read a file",
          parameters: [{ name: "path", in: "path", required: true, "x-catch-all": true, schema: { type: "string" } }],
          responses: idle,
        },
      },
      "/entities": {
        get: {
          summary: "Read all entities",
          responses: { 200: { description: "OK", content: json(ref("E0")) } },
        },
      },
      "/upload": {
        post: {
          summary: "Upload",
          requestBody: {
            content: {
              "multipart/form-data": {
                schema: {
                  allOf: [
                    {
                      type: "object",
                      properties: {
                        name: { type: "string" },
                        file: { type: "string", contentMediaType: "application/octet-stream" },
                        more: { type: "array", items: { type: "string", format: "binary" } },
                      },
                      required: ["name"],
                    },
                    { type: "object", properties: { tags: { type: "array", items: { type: "string" } } } },
                  ],
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
        Circle: {
          type: "object",
          required: ["kind", "radius"],
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
        },
        Square: {
          type: "object",
          required: ["kind", "side"],
          properties: { kind: { const: "square" }, side: { type: "integer" } },
        },
        // A common type that refers to itself without an object in between.
        Json: {
          anyOf: [
            { type: "string" },
            { type: "null" },
            { type: "array", items: ref("Json") },
            { type: "object", additionalProperties: ref("Json") },
          ],
        },
        ...entities,
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

/** Returns the requests that the application received. */
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

/** Opens an operation, and waits until the page shows it. */
async function open(summary: string): Promise<void> {
  await page.click(`nav a[title="${summary}"]`)
  await page.waitForSelector(`h1:has-text("${summary}")`)
}

test("markup and scripts in a document are shown as text", async () => {
  assert.match((await page.textContent("h1")) ?? "", script)
  await open("List the tasks")
  assert.match((await page.textContent(".about")) ?? "", script)
  assert.is(await page.locator("main img, main script").count(), 0)
})

test("operations are listed by tag, and found by any word in them", async () => {
  assert.equal(await page.locator("nav h2").allTextContents(), ["tasks", "Other"])
  await page.keyboard.press("/")
  await page.keyboard.type("add post task")
  assert.is(await page.locator("nav a").count(), 1)
  await page.fill("#search", "nothing of that kind")
  assert.match((await page.textContent("nav")) ?? "", "No operation matches")
})

test("a recursive schema opens one level at a time", async () => {
  await open("Add a task")
  const inner = page.locator(".case ul.properties details > summary")
  assert.is(await inner.count(), 1)
  await inner.first().click()
  await page.waitForSelector(".below .below, .below ul.properties")
  assert.is(await inner.count(), 2)
})

test("a type that refers directly to itself is shown by its definition", async () => {
  await open("Add a shape")
  const meta = page.locator(".case li", { has: page.locator('code.name:text-is("meta")') })
  assert.match((await meta.textContent()) ?? "", "Json = string | null | Json[] | { [name]: Json }")
})

test("entities that refer to each other are shown with a short example", async () => {
  await open("Read all entities")
  const example = JSON.parse((await page.textContent(".case pre")) ?? "")
  assert.is(example.id, 1)
  assert.ok(JSON.stringify(example).length < 20_000)
})

test("a body of one of several types has a menu that inserts the example of each type", async () => {
  await open("Add a shape")
  const written = async () => JSON.parse(await page.inputValue("textarea"))
  assert.equal(await written(), { kind: "circle", radius: 1.5 })
  await page.selectOption(".choice select", { label: "Square" })
  assert.equal(await written(), { kind: "square", side: 1 })
})

test("an answer that does not match the document is marked at the wrong part", async () => {
  await open("Add a shape")
  await page.click("button.send")
  await page.waitForSelector(".misfits")
  const said = await page.locator(".misfits li").allTextContents()
  assert.equal(said, ['"area" is missing', ".url expected integer, got string"])
  const marks = await page.locator(".response mark.misfit mark.misfit").allTextContents()
  assert.equal(marks, ['"/shapes"'])
  await open("List the tasks")
  await page.click("button.send")
  await page.waitForSelector(".misfits:has-text('expected array, got object')")
})

test("a status that is not in the document is reported", async () => {
  await open("Read a file")
  await page.click("button.send")
  await page.waitForSelector(".misfits:has-text('status 200 is not in the document')")
})

test("the start page lists the operations with their summaries, and links the document as JSON and YAML", async () => {
  const rows = await page.locator(".home .operations a").allTextContents()
  assert.ok(rows.includes("POST/tasksAdd a task"), rows.join(", "))
  assert.equal(await page.locator(".home h2").allTextContents(), ["tasks", "Other"])
  assert.is(await page.textContent(".home p:has(a[download])"), "The document: JSON, YAML")
  await page.click(".home .operations a:has-text('Add a task')")
  await page.waitForSelector("h1:has-text('Add a task')")
  await page.click("#brand a")
  for (const [name, start] of [
    ["JSON", /^\{/],
    ["YAML", /^openapi: 3\.1\.0$/m],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.home a:text-is("${name}")`)])
    assert.is(download.suggestedFilename(), `openapi.${name.toLowerCase()}`)
    assert.match(readFileSync(await download.path(), "utf8"), start)
  }
})

for (const scheme of ["light", "dark"] as const) {
  for (const [device, width] of [
    ["desktop", 1280],
    ["phone", 390],
  ] as const) {
    test(`axe finds no problem: ${scheme}, ${device}`, async () => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme: scheme })
      await page.evaluate(axe.source)
      for (const place of ["#/", "#/post/shapes", "#/get/tasks"]) {
        await page.goto(`http://localhost:${explorer.port}/docs${place}`)
        await page.waitForSelector("h1")
        const found = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]))",
        )
        assert.equal(found, [], place)
      }
    })
  }
}

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

test("a catch-all keeps its slashes, and a form sends its file", async () => {
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
  const several = ["a", "b"].map((name) => ({
    name: `${name}.txt`,
    mimeType: "text/plain",
    buffer: Buffer.from(name),
  }))
  await page.setInputFiles("input[name=more]", several)
  await page.fill("textarea[name=tags]", "one\ntwo\n")
  assert.equal(await page.locator(".field:has-text('required') code").allTextContents(), ["name"])
  const { headers, body } = await sent()
  assert.match(headers["content-type"] ?? "", /^multipart\/form-data; boundary=/)
  assert.match(body, /filename="f\.txt"[\s\S]*inside/)
  assert.equal(
    [...body.matchAll(/name="(\w+)"(?:; filename="(\w+)\.txt")?/g)].map(([, name, file]) => [name, file]),
    [
      ["name", undefined],
      ["file", "f"],
      ["more", "a"],
      ["more", "b"],
      ["tags", undefined],
      ["tags", undefined],
    ],
  )
})

test("the page shows changes of the document, and problems of the project", async () => {
  await open("List the tasks")
  explorer.show({ document: shopAt(url, "List every task"), problem: null })
  await page.waitForSelector("h1:has-text('List every task')")
  explorer.show({ document: shopAt(url), problem: "app/x.ts: broken" })
  await page.waitForSelector("#notice:has-text('app/x.ts: broken')")
})

test("no request is sent to another host, and the page says why", async () => {
  explorer.show({ document: shopAt("https://api.example.com"), problem: null })
  await page.waitForSelector("p:has-text('api.example.com')")
  await open("List the tasks")
  assert.is(await page.isDisabled("button.send"), true)
  assert.match((await page.textContent(".request")) ?? "", "not on this machine")
  await page.click("text=As curl")
  await page.waitForSelector(".response pre:has-text('curl')")
})

test("on a phone the list opens with a button, and nothing is wider than the screen", async () => {
  await page.setViewportSize({ width: 360, height: 740 })
  assert.is(await page.isVisible("nav"), false)
  await page.click("#menu")
  await open("Add a task")
  assert.is(await page.isVisible("nav"), false)
  const wide = await page.evaluate("document.documentElement.scrollWidth")
  assert.is(wide, 360)
})

test("the keyboard opens an operation, and reaches its first control", async () => {
  await page.keyboard.press("Tab")
  assert.is(await page.evaluate("document.activeElement.textContent"), "Skip to the operation")
  await page.focus('nav a[title="Add a task"]')
  await page.keyboard.press("Enter")
  await page.waitForSelector("#main:focus h1:has-text('Add a task')")
  await page.keyboard.press("Tab")
  assert.is(await page.evaluate("document.activeElement.tagName"), "SUMMARY")
})

test.run()
