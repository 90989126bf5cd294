/** The time of parsers grows with the length of hostile text, and not with its square. `tests/slow/growth.test.ts` attacks all of them. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { canonicalPath, segmentsOf } from "../../lib/path.ts"
import { acceptedCodings } from "../../lib/request/accept-encoding.ts"
import { readCookie } from "../../lib/request/cookies.ts"
import { parseForm } from "../../lib/request/form.ts"
import { verifyCookie } from "../../lib/request/signed-cookies.ts"
import { type Attack, assertLinear, growth, mostGrowth, repeated } from "../support/growth.ts"

const parsers: [name: string, run: (text: string) => unknown, attacks: Attack[]][] = [
  [
    "Accept-Encoding",
    acceptedCodings,
    [
      repeated(" ", "gzip;q=a", "b"),
      repeated(" ", "gzip; ", "q"),
      repeated("q=", "gzip;"),
      repeated(";q=0", "gzip"),
    ],
  ],
  ["Cookie", (text) => readCookie(text, "x"), [repeated("a;"), repeated("a=b;"), repeated(" ", "x=", "b")]],
  [
    "a signed cookie",
    (text) => verifyCookie({ env: { FW_SECRETS: "s".repeat(32) } }, "x", text, { signed: true }),
    [repeated("."), repeated("A"), repeated(`.${"A".repeat(43)}`), repeated(",", "", `.${"A".repeat(43)}`)],
  ],
  [
    "multipart/form-data",
    (text) =>
      parseForm(Buffer.from(text, "latin1"), `multipart/form-data; boundary=${"-".repeat(60)}a`, 9).catch(
        () => {},
      ),
    [repeated("-"), repeated(`${"-".repeat(62)}b`), repeated(`${"-".repeat(62)}a\r\n`), repeated("\r\n--")],
  ],
  ["the segments of a path", segmentsOf, [repeated("a/", "/"), repeated("%41/", "/"), repeated("a", "/")]],
  [
    "the canonical path",
    canonicalPath,
    [repeated("a/", "/"), repeated("/", "", "%41"), repeated("../", "/a/")],
  ],
]

for (const [name, run, attacks] of parsers) {
  test(`${name} is read in linear time`, async () => {
    for (const attack of attacks) await assertLinear(name, run, attack)
  })
}

test("the measurement distinguishes linear from quadratic", async () => {
  const count = (text: string, steps: (length: number) => number) => {
    let sum = 0
    for (let step = steps(text.length); step > 0; step--) sum = (sum + step) % 65_537
    return sum
  }
  const { make } = repeated("a")
  const options = { longest: 2 ** 16 }
  assert.ok((await growth((text) => count(text, (length) => 8 * length), make, options)) <= mostGrowth)
  assert.ok((await growth((text) => count(text, (length) => length ** 2 / 8), make, options)) > mostGrowth)
  assert.ok((await growth((text) => count(text, (length) => length ** 1.5), make, options)) > mostGrowth)
})

test.run()
