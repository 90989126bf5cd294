/** Tests of a body's bytes as text: valid UTF-8 that contains U+FFFD, and bytes that are not UTF-8. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/index.ts"

const app = new App({ logger: false })
app.post("/", async (c) => c.string(200, await c.text()))

const cases: ReadonlyArray<readonly [name: string, bytes: readonly number[], text: string | null]> = [
  ["ASCII", [0x61], "a"],
  ["U+FFFD itself", [0x61, 0xef, 0xbf, 0xbd], "a\ufffd"],
  ["U+FFFD after a byte order mark", [0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbd], "\ufffd"],
  ["a byte that no UTF-8 has", [0x61, 0xff], null],
  ["U+FFFD and a sequence that ends too early", [0xef, 0xbf, 0xbd, 0xe2, 0x82], null],
  ["half of a surrogate pair", [0xed, 0xa0, 0x80], null],
]
for (const [name, bytes, text] of cases) {
  test(`c.text(): ${name}`, async () => {
    const answer = await app.request("/", { method: "POST", body: new Uint8Array(bytes) })
    assert.is(answer.status, text === null ? 400 : 200)
    if (text !== null) assert.is(await answer.text(), text)
  })
}

test.run()
