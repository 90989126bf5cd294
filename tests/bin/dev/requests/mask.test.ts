/**
 * Tests that `fw dev` hides secrets in the requests that it shows, by the names of values and by their appearance.
 */
import { createHash } from "node:crypto"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { isSecret, looksRandom, Mask } from "../../../../bin/dev/requests/mask.ts"
import { random } from "../../../support/random.ts"

const test = suite("masked requests")
const mask = new Mask({ STRIPE_KEY: "sk_words_only_here", PORT: "3000" })

const names = [
  "password",
  "Authorization",
  "x-api-key",
  "csrf_token",
  "clientSecret",
  "session",
  "user[password]",
  "otp",
]
const words = ["name", "count", "keyboard", "message", "sort_by", "monkey", "path"]

test("names of secrets are recognized, and others are not", () => {
  assert.equal(
    names.filter((name) => !isSecret(name)),
    [],
  )
  assert.equal(words.filter(isSecret), [])
})

/** Every part of a request in which a value has a name. */
const named: Readonly<Record<string, (name: string, value: string) => string>> = {
  "a query": (name, value) => mask.text(`/search?q=shoes&${name}=${value}&page=2`),
  "a form": (name, value) => mask.body(`q=shoes&${name}=${value}`, "application/x-www-form-urlencoded"),
  JSON: (name, value) => mask.body(JSON.stringify({ list: [{ [name]: value }] }), "application/json"),
  "JSON with a secret object": (name, value) =>
    mask.body(JSON.stringify({ [name]: { inner: [value] } }), "application/json"),
  "JSON that was cut": (name, value) => mask.body(`{"q":"shoes","${name}":"${value}","li`, "application/json"),
  "JSON that was cut in the secret": (name, value) => mask.body(`{"${name}":"${value}`, "application/json"),
  "a multipart form": (name, value) =>
    mask.body(
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b\r\nContent-Disposition: form-data; name="q"\r\n\r\nshoes\r\n--b--\r\n`,
      "multipart/form-data; boundary=b",
    ),
  "a header": (name, value) => mask.header(name.replace(/[^\w-]/g, ""), value),
  "a cookie": (name, value) => mask.header("Cookie", `theme=dark; ${name}=${value}`),
  "a cookie that is set": (name, value) => mask.header("Set-Cookie", `${name}=${value}; Path=/; HttpOnly`),
  "a line of text": (name, value) => mask.text(`got ${name}: ${value}, 200`),
}

for (const [where, show] of Object.entries(named)) {
  test(`any secret is hidden by its name in ${where}`, () => {
    const { pick, below } = random(1)
    for (let run = 0; run < 300; run += 1) {
      const value = Array.from({ length: 4 + below(30) }, () => pick([..."abcdefghijklmnopqrstuvwxyz0123456789"])).join(
        "",
      )
      const name =
        where.includes("text") || where.includes("cut") || where === "a header"
          ? pick(names.filter((one) => !one.includes("[")))
          : pick(names)
      const found = show(name, value)
      assert.not.ok(found.includes(value), `${name}=${value} is not hidden in: ${found}`)
      assert.ok(found.includes("***"))
    }
  })
}

/** Ways in which programs write random bytes as tokens. */
const alphabets: Readonly<Record<string, (bytes: Buffer) => string>> = {
  hexadecimal: (bytes) => bytes.toString("hex"),
  Base64: (bytes) => bytes.toString("base64"),
  Base64url: (bytes) => bytes.toString("base64url"),
}
const places: Readonly<Record<string, (value: string) => string>> = {
  "a path": (value) => mask.text(`/reset/${value}`),
  "a query": (value) => mask.text(`/go?to=${value}`),
  JSON: (value) => mask.body(JSON.stringify({ id: value }), "application/json"),
  text: (value) => mask.text(`the link has ${value} in it`),
  "a header": (value) => mask.header("X-Thing", `v1 ${value}`),
}

for (const [alphabet, write] of Object.entries(alphabets)) {
  test(`a text that looks random is hidden everywhere: ${alphabet}`, () => {
    for (let seed = 0; seed < 500; seed += 1) {
      // Tokens usually have 24 or 32 bytes.
      const value = write(
        createHash("sha256")
          .update(`${seed}`)
          .digest()
          .subarray(0, seed % 2 ? 24 : 32),
      )
      for (const [where, show] of Object.entries(places))
        assert.not.ok(show(value).includes(value), `${where} shows the value ${value}`)
    }
  })
}

test("words, paths, addresses and identifiers stay readable", () => {
  const plain = [
    "the quick brown fox jumps over the lazy dog",
    "/Users/ada/Projects/shop/app/orders/[id]/route.ts:12:3",
    "at handleRequestWithLongName (node_modules/some-package/dist/index.js:12:3)",
    "https://shop.example/products/winter-jackets-2026?sort=price&page=12",
    "SELECT name, price_in_cents FROM products WHERE category_id = $1 ORDER BY created_at",
    "550e8400-e29b-41d4-a716-446655440000",
    "2026-11-29T22:32:34.683Z",
    "orders-2026-11-29-europe-west1",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
    "app.BU2K3JQX.css",
  ]
  assert.equal(
    plain.map((text) => mask.text(text)),
    plain,
  )
  assert.is(mask.header("ETag", '"3FpXq81kQmVd0aZbT7yRw2"'), '"3FpXq81kQmVd0aZbT7yRw2"')
  assert.is(
    mask.header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  )
})

test("secrets of the environment and values of cookies are hidden, and schemes and names of cookies stay readable", () => {
  assert.is(mask.text("the key is sk_words_only_here."), "the key is ***.")
  assert.is(mask.header("Authorization", "Bearer abc"), "Bearer ***")
  assert.is(mask.header("Authorization", "abc"), "***")
  assert.is(mask.header("Cookie", "theme=dark; sid=1"), "theme=***; sid=***")
  assert.is(mask.header("Set-Cookie", "sid=1; Path=/; Max-Age=60; HttpOnly"), "sid=***; Path=/; Max-Age=60; HttpOnly")
  assert.is(
    mask.body('{"a":1,"token":null,"b":[true]}', "application/problem+json"),
    '{\n  "a": 1,\n  "token": null,\n  "b": [\n    true\n  ]\n}',
  )
  assert.not.ok(looksRandom("short1A"))
})

test.run()
