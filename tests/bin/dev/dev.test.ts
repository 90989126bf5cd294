/**
 * Tests of what `fw dev` does between a saved file and the next answer. Most such tests are in
 * `slow/dev-changes.test.ts`, because each starts a program.
 */
import { renameSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, oneDev, route, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: changes")
const file = "app/api/hello/route.ts"

const one = oneDev(test, {
  [file]: route("one"),
  "lib/word.ts": 'export const word = "word"\n',
})

test("a changed import is rebuilt, and a rename over a file counts as a save", async () => {
  const text = `import { word } from "../../../lib/word.ts"\nexport const Get = (c: import("fw").Context) => c.string(200, word)\n`
  assert.is(await one.save({ [file]: text }, "/api/hello"), "word")
  write(one.root, { "lib/.word.ts.new": 'export const word = "renamed"\n' })
  renameSync(join(one.root, "lib/.word.ts.new"), join(one.root, "lib/word.ts"))
  await one.dev.says(/rebuilt in \d+ ms: lib\/word\.ts\n/)
  assert.is(await one.body("/api/hello"), "renamed")
})

test("a syntax error is shown with its place while the last good program answers, and a fix removes it", async () => {
  await one.save({ [file]: route("good") }, "/api/hello")
  write(one.root, {
    "lib/word.ts": "export const word = = 1\n",
    [file]: `import "../../../lib/word.ts"\n${route("new")}`,
  })
  await one.dev.says(/error: Unexpected "="\n +lib\/word\.ts:1:21\n +> 1 \| export const word = = 1\n +\| {21}\^/)
  assert.is(await one.body("/api/hello"), "good")
  const events = await listen()
  const state = await events.next("state")
  assert.match(state, /Unexpected \\"=\\"/)
  assert.match(state, /lib\/word\.ts:1:21/)
  write(one.root, { "lib/word.ts": 'export const word = "fixed"\n' })
  await one.dev.says(/rebuilt in/)
  assert.match(await events.next("state"), /"problems":\[\]/)
  events.close()
  assert.is(await one.body("/api/hello"), "new")
})

test("a new route in a new directory answers, and a deleted route does not", async () => {
  assert.is((await ask(one.port, "/api/deep/er")).status, 404)
  assert.is(await one.save({ "app/api/deep/er/route.ts": route("deep") }, "/api/deep/er"), "deep")
  write(one.root, { "app/api/deep": null })
  await one.dev.says(/rebuilt in/)
  assert.is((await ask(one.port, "/api/deep/er")).status, 404)
})

test("pages swap a changed stylesheet without a new program, and reload for other static files", async () => {
  write(one.root, { "static/css/site.css": "a {}\n" })
  const events = await listen()
  await events.next("state")
  write(one.root, { "static/css/site.css": "a { color: red }\n" })
  assert.equal(JSON.parse(await events.next("styles")), { file: "site.css", served: true })
  write(one.root, { "static/logo.svg": "<svg/>\n" })
  await events.next("reload")
  events.close()
})

/** Opens the event stream, as a page does. */
async function listen() {
  const abort = new AbortController()
  const response = await fetch(`http://localhost:${one.port}/__fw/events`, { signal: abort.signal })
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  return {
    /** Returns the data of the next event with a name. */
    async next(name: string): Promise<string> {
      for (;;) {
        const found = new RegExp(`event: ${name}\ndata:(.*)\n\n`).exec(text)
        if (found) {
          text = text.slice(found.index + found[0].length)
          return found[1] as string
        }
        const { value, done } = await reader.read()
        if (done) throw new Error(`the events ended without ${name}`)
        text += value
      }
    },
    close: () => abort.abort(),
  }
}

test.run()
