/**
 * Cases in which a runtime's response differs from that of the others, with the reason and the response. There are
 * fewer than ten, and `docs/operations/runtimes.md` lists them too.
 */
import type { Expected } from "./case.ts"

/**
 * The ETag of a file inside an executable depends on its content: with a time, two builds of the same sources would
 * differ.
 */
const embedded = { etag: /^"[0-9a-f]{20}"$/, "last-modified": null }

/** A difference that fw cannot remove. */
export interface Difference {
  readonly name: string
  readonly runtimes: ReadonlyArray<"bun" | "deno" | "workerd" | "executable">
  /**
   * Titles of cases and the response in place of the expected one. Without a response, the case's expectation
   * applies, but not what `app.fetch` on Node answers beyond it. Null means that the request cannot be sent.
   */
  readonly cases: ReadonlyArray<readonly [title: RegExp, instead?: Expected | null]>
}

export const differences: readonly Difference[] = [
  {
    name: "json-place",
    runtimes: ["bun"],
    cases: [[/: malformed JSON "(?!\[1,\]|undefined)/], [/an error that bind\(\) throws is the answer/]],
  },
  {
    name: "type-spelling",
    runtimes: ["bun"],
    cases: [
      [/gives name, size in bytes, type and content/, { body: /"text\/plain;charset=utf-8"/ }],
      [/compress\(\): an answer without Content-Type/, { headers: { "content-encoding": "gzip" } }],
      [/the mounted handler sees method/, { headers: { "content-type": "application/json;charset=utf-8" } }],
    ],
  },
  {
    name: "target",
    runtimes: ["bun"],
    cases: [
      [/: a raw backslash/, { json: ["/a/b", ""] }],
      [/the authority of an absolute target/, { body: "http://localhost/x" }],
      [/OPTIONS \* asks/, { status: 400, body: "" }],
      [/an unknown expectation/, { json: ["/", ""] }],
      [/a method in lower case/, { broken: true }],
      [/the transfer codings gzip/, { status: 400, body: "" }],
    ],
  },
  {
    name: "target",
    runtimes: ["deno"],
    cases: [
      [/HTTP\/1\.1 without a Host/, { json: ["/eleven", ""] }],
      [/OPTIONS \* asks/, { json: ["/*", ""] }],
      [/an unknown expectation/, { json: ["/", ""] }],
      [/a header line that ends with LF/, { json: ["/", ""] }],
      [/a method in lower case/, { status: 405 }],
      [/a chunk size after a blank/, { body: "abc" }],
      [/a malformed chunk size/, { broken: true }],
    ],
  },
  {
    name: "target",
    runtimes: ["workerd"],
    cases: [
      [/HTTP\/1\.0 may go without a Host/, { status: 400, body: "Bad Request" }],
      [/the authority of an absolute target/, { body: "http://localhost/x" }],
      [/OPTIONS \* asks/, { status: 204, headers: { allow: "GET, HEAD, OPTIONS" } }],
      [/an unknown expectation/, { json: ["/", ""] }],
      [/a header line that ends with LF/, { json: ["/", ""] }],
      [/BEL in the value/, { json: ["/", ""] }],
      [/a method in lower case/, { status: 501 }],
      [/the transfer codings gzip/, { status: 200, body: "" }],
    ],
  },
  {
    name: "latin-1",
    runtimes: ["workerd"],
    cases: [[/takes tabs and Latin-1/, { status: 204, headers: { "x-a": "a\tÃ¼" } }]],
  },
  {
    name: "going-away",
    runtimes: ["workerd"],
    cases: [
      [/c\.signal aborts while/, null],
      [/the signal of c\.request aborts too/, null],
      [/a stream that is silent is cancelled too/, null],
    ],
  },
  {
    name: "upgrade-header",
    runtimes: ["workerd"],
    cases: [[/^app\.socket\(\): GET with/, { status: 426, headers: { upgrade: null } }], [/^app\.socket\(\): HEAD is/]],
  },
  {
    name: "assets",
    runtimes: ["workerd"],
    cases: [
      [/^app\.static\(\): a directory's address ends with a slash/, { status: 307, headers: { location: "sub/" } }],
      [/^app\.static\(\): a part of a file/, { body: "a { color: red }\n" }],
      [/^app\.static\(\): with a tag of the program, a file allows a range/, { body: "a { color: red }\n" }],
      [/^app\.static\(\): with a tag of the program/],
      [/^app\.static\(\): the fallback answers HEAD/, { body: "" }],
      [/^app\.static\(\): the fallback (?:answers for|has a tag|reads Accept)/, { body: /<title>sub/ }],
      [/^app\.static\(\): the fallback (?:answers at|leaves files)/],
      [/^outcomes: a (?:range that cannot be satisfied|condition that does not hold)/, { status: 200 }],
      [/^outcomes: a 304 has/],
      [/^app\.static\(\): any tag matches/, { body: "a { color: red }\n" }],
      [
        /^app\.static\(\): (?:a file|an index|another spelling|a query changes nothing|a tag that does not|global middleware)/,
      ],
    ],
  },
  {
    name: "assets",
    runtimes: ["executable"],
    cases: [
      [/^app\.static\(\): a file to HEAD/, { body: "", headers: embedded }],
      [/^app\.static\(\): an index/, { body: /<title>sub/, headers: embedded }],
      [/^app\.static\(\): the fallback answers HEAD/, { body: "", headers: embedded }],
      [/^app\.static\(\): the fallback has a tag/, { status: 304, body: "", headers: embedded }],
      [/^app\.static\(\): the fallback (?:answers|leaves files|reads)/, { body: /<title>sub/, headers: embedded }],
      [/^app\.static\(\): a part of a file/, { status: 206, body: "a {", headers: embedded }],
      [/^app\.static\(\): any tag matches/, { status: 304, body: "", headers: embedded }],
      [
        /^app\.static\(\): (?:a file|another spelling|a query changes nothing|a tag that does not|global middleware)/,
        { body: "a { color: red }\n", headers: embedded },
      ],
    ],
  },
]

/** The names of the differences, each once even if several runtimes have it. */
export const differenceNames: readonly string[] = [...new Set(differences.map(({ name }) => name))]
