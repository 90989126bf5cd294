/**
 * Tests that the number of steps for hostile text in headers, paths, queries and bodies is proportional to its
 * length instead of its square. The headers and the regular expressions are read from the sources.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { env } from "../../adapters/disk/env.ts"
import { compileProxyConfig } from "../../lib/proxy-matchers.ts"
import { type Attack, assertLinear, repeated } from "../support/growth/growth.ts"
import { attack, attackedApp, type Target, targets } from "../support/lib/attacked.ts"
import { root } from "../support/tsc.ts"

const app = await attackedApp()

/** The sources of everything that runs in a server. */
const sources = ["lib", "template", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, folder, file), "utf8")),
)

/** Headers that the sources read only in answers, or only in requests that a runtime has created. */
const ofAnswers = [
  "cache-control",
  "content-encoding",
  "content-range",
  "etag",
  "expires",
  "last-modified",
  "vary",
  "www-authenticate",
  "x-accel-buffering",
]
const ofRuntimes = ["cf-connecting-ip"]

/** A header that telemetry sends on as it is, unless it is too long. */
const sentOn = ["baggage"]

/** Valid beginnings of headers, because hostile text is tested alone and after them. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  accept: ["text/html,", "text/html;q="],
  "accept-encoding": ["gzip;q=", "gzip, "],
  "access-control-request-headers": ["x-a, "],
  authorization: ["Basic ", "Bearer "],
  connection: ["upgrade, "],
  "content-length": ["1"],
  "content-type": ["application/", "application/json;", "multipart/form-data; boundary="],
  cookie: ["a=b; ", "x=", "fw_flash=", "fw_flash=%5B"],
  forwarded: ["for=", 'for="', "for=1.2.3.4;", "proto="],
  host: ["localhost:"],
  "if-match": ['"a", ', 'W/"'],
  "if-modified-since": ["Sun, 06 Nov 1994 "],
  "if-none-match": ['"a", ', 'W/"'],
  "if-range": ['"', "Sun, 06 Nov 1994 "],
  "if-unmodified-since": ["Sun, 06 Nov 1994 "],
  "mcp-name": ["=?base64?"],
  origin: ["https://", "https://shop.example"],
  range: ["bytes=", "bytes=0-1,"],
  "sec-websocket-protocol": ["chat.v1, "],
  traceparent: ["00-", `00-${"a".repeat(32)}-${"a".repeat(16)}-01-`],
  "x-forwarded-for": ["1.2.3.4, ", "::ffff:", "["],
  "x-forwarded-proto": ["https,", "https "],
}
const pieces = [
  " ",
  "\t",
  ",",
  ";",
  "=",
  '"',
  "\\",
  "a",
  "0",
  "é",
  ".",
  ":",
  "-",
  "+",
  "/",
  "%",
  "%41",
  "%ff",
  "a ",
  " ,",
  "a;",
  "a=",
  "a,",
  "a=b;",
  "a=b, ",
  '"a",',
  'W/"a",',
  '"\\',
  ";q=0",
  "for=",
  ";for=",
  "0-1,",
  "1.",
  "1:",
  "a.",
  "a/",
  "+json",
  "x-",
]
const endings = ["", "!"]

function attacksOn(header: string): Attack[] {
  return ["", ...(beginnings[header] ?? [])].flatMap((before) =>
    endings.flatMap((after) => pieces.map((piece) => repeated(piece, before, after))),
  )
}

/** Returns the headers on which the answer to a request depends. */
async function readHeaders(target: Target): Promise<string[]> {
  return [...(await attack(app, target)).names]
}

test("every header that the sources read is read by one of the attacked requests", async () => {
  const read = new Set((await Promise.all(targets.map(readHeaders))).flat())
  const named = sources.flatMap((text) =>
    [...text.matchAll(/\bheader\(\s*"([a-z\d-]+)"/g)].map(([, name]) => name as string),
  )
  assert.ok(named.length > 30, `only ${named.length} names of headers were found`)
  const missing = [...new Set(named)].filter(
    (name) => ![...read, ...ofAnswers, ...ofRuntimes, ...sentOn].includes(name),
  )
  assert.equal(missing, [])
})

/**
 * The number of requests in which each header is attacked: the functions that read it are almost the same in all
 * requests.
 */
const requestsEach = 1
const attacked = new Map<string, Target[]>()
// Requests that carry a header themselves come first, because they run the most code that depends on it.
for (const target of targets)
  for (const name of await readHeaders(target)) {
    const list = attacked.get(name) ?? []
    attacked.set(name, name in (target.headers ?? {}) ? [target, ...list] : [...list, target])
  }

for (const [name, readers] of attacked) {
  test(`the header ${name} is read in linear time`, async () => {
    for (const target of readers.slice(0, requestsEach)) {
      const run = (text: string) => attack(app, target, { [name]: text })
      await assertLinear(`${target.request}, ${name}`, run, attacksOn(name))
    }
  })
}

const pathPieces = [
  "a",
  "/",
  "a/",
  "./",
  "../",
  "%41",
  "%2f",
  "%2e%2e/",
  "%",
  "%zz",
  ":",
  "é",
  ";a",
  "posts/",
  "//a",
  "0/",
]
const pathBeginnings = ["/", "/users/", "/users/1/posts/", "/static/", "/api/", "/a/", "http://"]
const pathAttacks = pathBeginnings.flatMap((before) =>
  ["", "/edit", "!"].flatMap((after) => pathPieces.map((piece) => repeated(piece, before, after))),
)

test("paths are read and routed in linear time", () =>
  assertLinear("the path", (text) => attack(app, { request: `GET ${text}` }), pathAttacks))

test("queries are read in linear time", () =>
  assertLinear("the query", (text) => attack(app, { request: `GET /read?${text}` }), queryAttacks))

const queryAttacks = [
  "a",
  "&",
  "=",
  "a=b&",
  "a&",
  "%",
  "%41",
  "%zz",
  "+",
  "b=1&",
  "c=true&",
  "d=&",
  "é",
  "a[]=1&",
].flatMap((piece) => ["", "a=", "b="].map((before) => repeated(piece, before)))

test("the matchers of a proxy are tested in linear time", async () => {
  const { loadURLPattern } = env
  for (const matcher of ["/:a*/:b*/z", "/a/:b+/c/:d+/e", "/:a/x/*", "/:path*/edit", "/(.*)", "/:lang(en|de)/*.html"]) {
    const covers = await compileProxyConfig({ matchers: [matcher] }, loadURLPattern)
    await assertLinear(`the matcher ${matcher}`, covers, pathAttacks)
  }
})

/** A body by its content type: the texts before the repeated piece, and the pieces. */
type Body = readonly [path: string, type: string, beginnings: string[], pieces: string[]]
const bodies: readonly Body[] = [
  [
    "/json",
    "application/json",
    ["", "[", '{"a":', '"', "1"],
    [
      "[",
      "1,",
      '{"a":',
      '"',
      "\\",
      '\\"',
      "0",
      " ",
      "é",
      "\\u0041",
      "[],",
      '"__proto__":1,',
      '"a":1,',
      "-",
      "\n",
      "null,",
    ],
  ],
  ["/form", "application/x-www-form-urlencoded", ["", "a="], ["a=1&", "&", "%", "%41", "+", "=", "é", "a"]],
  ["/bound", "application/x-www-form-urlencoded", ["", "a="], ["a=1&", "&", "a=&", "passWord", "_a", "é"]],
  ...["/form", "/parts"].map(
    (path): Body => [
      path,
      "multipart/form-data; boundary=b",
      [
        "",
        "--b\r\n",
        '--b\r\nContent-Disposition: form-data; name="',
        '--b\r\nContent-Disposition: form-data; name="a"; filename="',
        '--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n',
      ],
      [
        "--b\r\n",
        "-",
        "\r\n",
        "\r\n--b",
        "\r\n--",
        "a",
        '"',
        "\\",
        ";",
        " ",
        "a: b\r\n",
        '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n',
        "\r",
        "; a=",
        "<!--",
        "<svg",
      ],
    ],
  ),
  ...["/form", "/parts"].map(
    (path): Body => [
      path,
      `multipart/form-data; boundary=${"-".repeat(69)}b`,
      [""],
      ["-", `${"-".repeat(71)}`, `${"-".repeat(71)}\r\n`],
    ],
  ),
  ["/text", "text/plain", [""], ["a", "é", "\0", "\r\n"]],
  ["/request", "text/plain", [""], ["a"]],
]

for (const [path, type, beginnings, pieces] of bodies) {
  test(`${path} reads bodies of ${type} in linear time`, () => {
    const attacks = beginnings.flatMap((before) => pieces.map((piece) => repeated(piece, before)))
    const run = (body: string) => attack(app, { request: `POST ${path}`, headers: { "content-type": type }, body })
    return assertLinear(`POST ${path}`, run, attacks)
  })
}

test.run()
