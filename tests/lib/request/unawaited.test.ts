/** Tests that a program which forgets `await` keeps running, whatever a client sends. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import type { StandardSchema } from "../../../lib/index.ts"

const refusing: StandardSchema<unknown> = {
  "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "no" }] }) },
}
const json = { body: "{", headers: { "content-type": "application/json" } }
const bytes = { body: new Uint8Array([0xff]), headers: { "content-type": "text/plain" } }
const form = { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }
const broken = { body: "--b\r\n", headers: { "content-type": "multipart/form-data; boundary=b" } }
const cutOff = {
  body: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
  headers: { "content-type": "multipart/form-data; boundary=b" },
}

/** Calls that nobody awaits, and a request for which each of them rejects. */
const calls: ReadonlyArray<readonly [name: string, call: (c: Context) => unknown, request: RequestInit]> = [
  ["c.bind()", (c) => c.bind(), json],
  ["c.bind(schema)", (c) => c.bind(refusing), { ...json, body: "{}" }],
  ["c.text()", (c) => c.text(), bytes],
  ["c.bytes()", (c) => c.bytes(), { ...bytes, body: new Uint8Array(200) }],
  ["c.form()", (c) => c.form(), broken],
  ["c.formValue()", (c) => c.formValue("a"), broken],
  ["c.formFile()", (c) => c.formFile("a"), broken],
  ["c.bindForm()", (c) => c.bindForm(refusing), form],
  ["c.readForm()", (c) => c.readForm(refusing), broken],
  ["c.bindQuery()", (c) => c.bindQuery(refusing), form],
  ["c.file()", (c) => c.file("lib", "none.txt"), json],
  ["part.text()", async (c) => void (await c.parts().next()).value?.text(), cutOff],
  ["part.bytes()", async (c) => void (await c.parts().next()).value?.bytes(), cutOff],
]

const unawaited = suite("calls without await")

for (const [name, call, request] of calls) {
  unawaited(`${name} that fails and is not awaited does not end the process`, async () => {
    const rejected: unknown[] = []
    const note = (reason: unknown) => rejected.push(reason)
    process.on("unhandledRejection", note)
    try {
      const app = new App({ bodyLimit: 100, logger: false })
      app.post("/forgets", async (c) => {
        const left = call(c)
        // The function around a part's call is awaited, but the call inside it is not.
        if (name.startsWith("part.")) await left
        return c.noContent()
      })
      assert.is((await app.request("/forgets", { method: "POST", ...request })).status, 204)
      // Rejections are reported after the microtasks of a turn.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      assert.equal(rejected, [])
    } finally {
      process.off("unhandledRejection", note)
    }
  })
}

for (const [name, call, request] of calls.filter(([name]) => name.startsWith("c."))) {
  unawaited(`${name} that fails and is awaited rejects`, async () => {
    const app = new App({ bodyLimit: 100, logger: false })
    app.post("/", async (c) => {
      await call(c)
      return c.noContent()
    })
    assert.ok((await app.request("/", { method: "POST", ...request })).status >= 400, name)
  })
}

unawaited.run()
