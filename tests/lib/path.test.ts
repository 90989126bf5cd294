/** Tests of the canonical path: all spellings of a path become one. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { HttpError } from "../../lib/errors.ts"
import { canonicalizePath, encodeSegment, splitSegments, splitTarget } from "../../lib/path.ts"

const canonical: ReadonlyArray<[raw: string, path: string, why: string]> = [
  ["/", "/", "the root"],
  ["", "/", "an empty path is the root"],
  ["users", "/users", "a slash is added"],
  ["/users/42", "/users/42", "a plain path stays"],
  ["/users/", "/users/", "a trailing slash stays, because the router decides about it"],
  ["/a//b", "/a//b", "two slashes in a row stay"],
  ["//evil.example/x", "//evil.example/x", "two slashes at the start stay, and begin no host"],
  ["/a/./b", "/a/b", "one dot is removed"],
  ["/a/../b", "/b", "two dots remove a segment"],
  ["/a/..", "/", "two dots at the end remove a segment"],
  ["/../../etc", "/etc", "two dots at the root do nothing"],
  ["/a/%2e%2e/b", "/b", "encoded dots are dots to WHATWG URL"],
  ["/a/%2E%2e/b", "/b", "the case of the escape does not matter"],
  ["/a/.%2E/b", "/b", "a plain and an encoded dot count together"],
  ["/a/%252e%252e/b", "/a/%252e%252e/b", "a path is decoded once, not twice"],
  ["/a/...", "/a/...", "three dots are a name"],
  ["/.well-known/x", "/.well-known/x", "a leading dot is a name"],
  ["/%61dmin", "/admin", "an escape that is not needed is decoded"],
  ["/a%2Fb", "/a%2Fb", "an encoded slash separates no segments"],
  ["/a%2fb", "/a%2Fb", "an escape is written in capitals"],
  ["/a%20b", "/a%20b", "an encoded space stays encoded"],
  ["/a b", "/a%20b", "a space is encoded"],
  ["/a%3Ab%40c", "/a:b@c", "characters that RFC 3986 allows in a segment are decoded"],
  ["/!$&'()*+,;=:@-._~", "/!$&'()*+,;=:@-._~", "characters that RFC 3986 allows in a segment stay"],
  ["/a%2Bb", "/a+b", "an encoded plus is decoded"],
  ["/caf%C3%A9", "/caf%C3%A9", "encoded UTF-8 stays encoded"],
  ["/café", "/caf%C3%A9", "UTF-8 is encoded"],
  ["/caf%c3%a9", "/caf%C3%A9", "escapes of UTF-8 are written in capitals"],
  ["/%F0%9F%98%80", "/%F0%9F%98%80", "a character outside the BMP stays encoded"],
  ["/a%25b", "/a%25b", "a percent sign stays encoded"],
  ["/a%3Fb%23c", "/a%3Fb%23c", "? and # stay encoded"],
  [
    '/"<>`{}|^[]',
    "/%22%3C%3E%60%7B%7D%7C%5E%5B%5D",
    "characters that RFC 3986 does not allow in a segment are encoded",
  ],
]

for (const [raw, path, why] of canonical) {
  test(`canonicalizePath ${JSON.stringify(raw)}: ${why}`, () => assert.is(canonicalizePath(raw), path))
}

const refused: ReadonlyArray<[raw: string, message: string]> = [
  ["/%", "the path is not valid percent-encoded UTF-8"],
  ["/%4", "the path is not valid percent-encoded UTF-8"],
  ["/%zz", "the path is not valid percent-encoded UTF-8"],
  ["/%C0%AE%C0%AE/", "the path is not valid percent-encoded UTF-8"],
  ["/%FF", "the path is not valid percent-encoded UTF-8"],
  ["/%ED%A0%80", "the path is not valid percent-encoded UTF-8"],
  ["/a%00b", "the path holds %00"],
  ["/a%5Cb", "the path holds a backslash"],
  ["/a%5c..%5cb", "the path holds a backslash"],
  ["/a\\b", "the path holds a backslash"],
  ["/a/..\\..\\b", "the path holds a backslash"],
]

for (const [raw, message] of refused) {
  test(`canonicalizePath refuses ${JSON.stringify(raw)}`, () => {
    assert.throws(
      () => canonicalizePath(raw),
      (error: unknown) => error instanceof HttpError && error.status === 400 && error.message === message,
    )
  })
}

/** Returns a random number generator with a seed (mulberry32). */
function randomness(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

test("canonicalizePath is idempotent, and its segments encode to themselves", () => {
  const pieces = ["/", "/", ".", "..", "%2e", "%2E", "%2F", "%25", "%61", "%C3%A9", "%", "a", "Z", "é", "😀", "\u0000"]
  pieces.push(
    " ",
    "\t",
    "\n",
    "*",
    ":",
    "@",
    "'",
    "(",
    "|",
    "^",
    "{",
    "%7B",
    "%0A",
    "%09",
    "~",
    "%7E",
    "\ud800",
    "+",
    "%20",
  )
  const random = randomness(42)
  let canonicals = 0
  for (let round = 0; round < 20_000; round += 1) {
    const length = 1 + Math.floor(random() * 10)
    const raw = `/${Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("")}`
    let path: string
    try {
      path = canonicalizePath(raw)
    } catch (error) {
      assert.instance(error, HttpError, JSON.stringify(raw))
      continue
    }
    canonicals += 1
    assert.is(canonicalizePath(path), path, JSON.stringify(raw))
    assert.not.match(path, /\/\.\.?(?:\/|$)|[\\\0 ]/, JSON.stringify(raw))
    const segments = splitSegments(path)
    const slash = path.length > 1 && path.endsWith("/") ? "/" : ""
    if (segments) assert.is(`/${segments.map(encodeSegment).join("/")}${slash}`, path, JSON.stringify(raw))
    else assert.match(path, "//", JSON.stringify(raw))
  }
  assert.ok(canonicals > 4_000)
})

const segmented: ReadonlyArray<[path: string, segments: string[] | null]> = [
  ["/", []],
  ["/a", ["a"]],
  ["/a/", ["a"]],
  ["/a/b%2Fc", ["a", "b/c"]],
  ["/caf%C3%A9", ["café"]],
  ["//", null],
  ["///", null],
  ["/a//", null],
  ["//a", null],
  ["/a//b", null],
]

for (const [path, segments] of segmented) {
  test(`segmentsOf ${path} is ${JSON.stringify(segments)}`, () => assert.equal(splitSegments(path), segments))
}

const targets: ReadonlyArray<[target: string, path: string, search: string]> = [
  ["/", "/", ""],
  ["/a/b", "/a/b", ""],
  ["/a?b=c", "/a", "?b=c"],
  ["/a?", "/a", "?"],
  ["/a?b?c", "/a", "?b?c"],
  ["/a#b?c", "/a", ""],
  ["/a?b#c", "/a", "?b"],
  ["?a", "/", "?a"],
  ["", "/", ""],
  ["/a?u=http://x/y", "/a", "?u=http://x/y"],
  ["http://host/a?b", "/a", "?b"],
  ["HTTP://host:80/a/../b", "/a/../b", ""],
  ["https://user:pass@host/a", "/a", ""],
  ["http://[::1]:3000/a", "/a", ""],
  ["http://host", "/", ""],
  ["http://host?a", "/", "?a"],
  ["http://host#a", "/", ""],
  ["http://host/a%2Fb", "/a%2Fb", ""],
  ["http://host\\@other/a", "\\@other/a", ""],
  ["a?u=http://x/y", "a", "?u=http://x/y"],
  ["//host/a", "//host/a", ""],
  ["*", "*", ""],
]

for (const [target, path, search] of targets) {
  test(`splitTarget ${JSON.stringify(target)} gives the path ${path} and the query ${JSON.stringify(search)}`, () =>
    assert.equal(splitTarget(target), { path, search }))
}

test.run()
