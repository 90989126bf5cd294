/**
 * Tests of how the document describes the answers of every context method that answers. All cases are in one project,
 * which is read once.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const text = { type: "string" }
const binary = { type: "string", contentMediaType: "application/octet-stream" }

type Answers = Readonly<Record<string, unknown>>
/** The code of a handler, and its responses by status, as schemas by media type. */
const rows: ReadonlyArray<readonly [source: string, answers: Answers]> = [
  [
    "c.json(201, { a: 1 })",
    {
      201: { "application/json": { type: "object", properties: { a: { type: "number" } }, required: ["a"] } },
    },
  ],
  ['c.html(200, "<p>")', { 200: { "text/html": text } }],
  ['c.xml(200, "<a/>")', { 200: { "application/xml": text } }],
  ['c.string(200, "x")', { 200: { "text/plain": text } }],
  ['c.blob(200, "image/png", new Uint8Array())', { 200: { "image/png": binary } }],
  ['c.file("data", "a.pdf")', { 200: { "*/*": binary } }],
  ['c.file("data", "a.pdf", { type: "application/pdf", download: true })', { 200: { "application/pdf": binary } }],
  ["c.sse(async (events) => { await events.send({ data: 1 }) })", { 200: { "text/event-stream": text } }],
  ["c.sse(() => {}, { heartbeat: 9 })", { 200: { "text/event-stream": text } }],
  ['c.sse(() => {}, { log, subject: "ada" })', { 200: { "text/event-stream": text }, 204: {} }],
  ["c.stream(202, lines())", { 202: { "application/octet-stream": binary } }],
  ['c.stream(200, lines(), "text/plain; charset=utf-8")', { 200: { "text/plain": text } }],
  ['c.stream(200, new ReadableStream(), "application/x-ndjson")', { 200: { "application/x-ndjson": binary } }],
  ["c.noContent()", { 204: {} }],
  ['c.redirect(303, "/")', { 303: {} }],
  ['c.redirect("/", 301)', { 301: {} }],
]

const calls = suite("calls")
let made: ProjectDocument

calls.before(async () => {
  const lines = "async function* lines() { yield 'a' }\nconst log = { open: async () => undefined }\n"
  const files = rows.flatMap(([source], i) => [
    [
      `app/typed${i}/route.ts`,
      `import type { Context } from "fw"\n${lines}export function Get(c: Context) { return ${source} }\n`,
    ],
    [
      `app/awaited${i}/route.ts`,
      `import type { HandlerFunc } from "fw"\n${lines}export const Get: HandlerFunc = async (c) => { const answer = await ${source}; return answer }\n`,
    ],
  ])
  // Without this main file, routes that only a page uses would be left out.
  const main = 'import { App } from "fw"\nconst app = new App()\napp.openapi({ include: ["/*"] })\nexport default app\n'
  files.push(["main.ts", main])
  const root = makeProject(Object.fromEntries(files), ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

type Item = { get: { responses: Record<string, { content?: Record<string, { schema: unknown }> }> } }

for (const kind of ["typed", "awaited"]) {
  for (const [i, [source, answers]] of rows.entries()) {
    calls(`the answers are found ${kind}: ${source}`, () => {
      const item = (made.document.paths as Record<string, Item>)[`/${kind}${i}`] as Item
      const { responses } = item.get
      const { default: other, ...own } = responses
      const shown = Object.entries(own).map(([status, { content = {} }]) => {
        return [status, Object.fromEntries(Object.entries(content).map(([media, { schema }]) => [media, schema]))]
      })
      assert.equal(Object.fromEntries(shown), answers)
      assert.ok(other)
    })
  }
}

calls("the answers cause no warnings", () => {
  assert.equal(made.warnings, [])
})

calls.run()
