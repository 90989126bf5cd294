/**
 * Tests of links that are built from patterns and values: their text, that the router reads the same values from
 * them, and which values are refused.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../lib/index.ts"
import { buildLink } from "../../lib/links.ts"

type Given = readonly unknown[]

const made: ReadonlyArray<[link: string, pattern: string, given: Given, rest?: string]> = [
  ["/", "/", []],
  ["/users", "/users", []],
  ["/users/7", "/users/{id}", [{ id: 7 }]],
  ["/users/9007199254740993", "/users/{id}", [{ id: 9007199254740993n }]],
  ["/users/0", "/users/{id}", [{ id: 0 }]],
  ["/users/a%20b%2Fc%3F%23%25", "/users/{id}", [{ id: "a b/c?#%" }]],
  ["/users/caf%C3%A9", "/users/{id}", [{ id: "café" }]],
  ["/users/{id}".replace("{id}", "%7Bid%7D"), "/users/{id}", [{ id: "{id}" }]],
  ["/users/$&", "/users/{id}", [{ id: "$&" }]],
  ["/users/...", "/users/{id}", [{ id: "..." }]],
  ["/a/1/b/2", "/a/{x}/b/{y-z}", [{ x: 1, "y-z": 2 }]],
  ["/docs/a/b%20c", "/docs/*", [{ "*": "a/b c" }]],
  ["/docs/a/b", "/docs/*", [{ path: "a/b" }], "path"],
  ["/docs/a%2Fb/c", "/docs/*", [{ "*": ["a/b", "c"] }]],
  ["/docs/a%2Fb", "/docs/*", [{ "*": "a%2Fb" }]],
  ["/docs/a%252Fb", "/docs/*", [{ "*": ["a%2Fb"] }]],
  ["/docs/2026", "/docs/*", [{ "*": 2026 }]],
  ["/a%2A/7", "/a%2A/{id}", [{ id: 7 }]],
  ["/users?q=a+b&page=2", "/users", [{ query: { q: "a b", page: 2 } }]],
  ["/users?tag=a&tag=b&on=false", "/users", [{ query: { tag: ["a", "b"], on: false } }]],
  ["/users", "/users", [{ query: { q: undefined, page: null, tag: [] } }]],
  ["/users?q=", "/users", [{ query: { q: "" } }]],
  ["/users?a=1&a=2", "/users", [{ query: new URLSearchParams("a=1&a=2") }]],
  ["/users#top", "/users", [{ hash: "top" }]],
  ["/users?q=a%EF%BF%BD#a%EF%BF%BD", "/users", [{ query: { q: "a\ud800" }, hash: "a\ud800" }]],
  ["/users", "/users", [{ hash: "", query: undefined }]],
  ["/users/7?tab=posts#c%202", "/users/{id}", [{ id: 7 }, { query: { tab: "posts" }, hash: "c 2" }]],
]

for (const [link, pattern, given, rest] of made) {
  const values = JSON.stringify(given, (_, value) => (typeof value === "bigint" ? String(value) : value))
  test(`a link to ${pattern} with ${values} is ${link}`, () => {
    assert.is(buildLink(pattern, given, rest), link)
  })
}

const texts = ["7", "a b", "a/b", "a%2Fb", "%", "é😀", "'\"<>&", "..a", "?x#y", "a+b;c=d,e:f@g", "{id}", "*"]

for (const text of texts) {
  test(`the router reads ${JSON.stringify(text)} from the path, from a catch-all and from the query`, async () => {
    const app = new App()
    app.disableLogger()
    app.get("/one/{id}", (c) => c.json(200, [c.param("id"), c.query("q")]))
    app.get("/all/*", (c) => c.json(200, { at: c.param("*") }))
    const one = await app.request(buildLink("/one/{id}", [{ id: text }, { query: { q: text }, hash: text }]))
    assert.equal(await one.json(), [text, text])
    const all = await app.request(buildLink("/all/*", [{ "*": ["x", text] }]))
    const { at } = (await all.json()) as { at: string }
    const again = await app.request(buildLink("/all/*", [{ "*": at }]))
    assert.equal(await again.json(), { at })
    // A catch-all parameter shows a slash inside of a segment as %2F.
    assert.is(at, `x/${text.replaceAll("/", "%2F")}`)
  })
}

const refused: ReadonlyArray<[words: RegExp, pattern: string, given: Given]> = [
  [/needs a value for id: write link\("\/users\/\{id\}", \{ id: … \}\)/, "/users/{id}", []],
  [/needs a value for id/, "/users/{id}", [{}]],
  [/needs a value for id/, "/users/{id}", [{ id: null }]],
  [/needs a value for \*: .*\{ "\*": … \}/, "/docs/*", [{ path: "a" }]],
  [/id is empty/, "/users/{id}", [{ id: "" }]],
  [/\* is empty/, "/docs/*", [{ "*": "" }]],
  [/\* is empty/, "/docs/*", [{ "*": [] }]],
  // Otherwise a leading slash would make a link to another host: //evil.example.
  [/\* is empty/, "/*", [{ "*": "/evil.example" }]],
  [/\* is empty/, "/docs/*", [{ "*": "a/" }]],
  [/id is "\.\."/, "/users/{id}", [{ id: ".." }]],
  [/\* is "\."/, "/docs/*", [{ "*": "a/./b" }]],
  [/backslash/, "/users/{id}", [{ id: "a\\b" }]],
  [/backslash/, "/users/{id}", [{ id: "a\0b" }]],
  [/backslash/, "/users/{id}", [{ id: "\ud800" }]],
  [/takes a string, a number or a bigint, not an object/, "/users/{id}", [{ id: {} }]],
  [/takes a string, a number or a bigint, not a boolean/, "/users/{id}", [{ id: true }]],
]

for (const [words, pattern, given] of refused) {
  test(`a link to ${pattern} with ${JSON.stringify(given)} is refused`, () => {
    assert.throws(
      () => buildLink(pattern, given),
      (error: unknown) => error instanceof TypeError && words.test(error.message),
    )
  })
}

test("the message about a character that no path may contain does not show the value", () => {
  assert.throws(
    () => buildLink("/users/{id}", [{ id: "secret\\" }]),
    (error: unknown) => error instanceof TypeError && !error.message.includes("secret"),
  )
})

test.run()
