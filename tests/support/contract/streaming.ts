/** Contract cases: answers that stream, whole, broken, or to a client that goes away. */
import type { App, Context } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const encoder = new TextEncoder()

/** A stream of texts; an error in the list breaks it there. */
function chunks(...list: ReadonlyArray<string | Error>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Each chunk in a turn of its own.
      await new Promise((resolve) => setTimeout(resolve, 1))
      const next = list[at++]
      if (next instanceof Error) controller.error(next)
      else if (next === undefined) controller.close()
      else controller.enqueue(encoder.encode(next))
    },
  })
}

/** As a ponyfill's: all that a Response has, and none of this realm. */
function foreign(text: string): Response {
  const headers = new Headers({ "content-type": "text/x", "x-a": "1" })
  for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie)
  const { body } = new Response(text)
  return {
    status: 201,
    statusText: "",
    headers,
    body,
    bodyUsed: false,
    arrayBuffer() {},
  } as unknown as Response
}

const long = Array.from({ length: 200 }, (_, index) => `${index},`.repeat(100))

type Row = readonly [name: string, answer: (c: Context) => Response, expect: Expected]
const rows: readonly Row[] = [
  ["chunks in order", (c) => c.blob(200, "text/plain", chunks("a", "b", "c")), { body: "abc" }],
  ["none", (c) => c.blob(200, "text/plain", chunks()), { body: "" }],
  ["an empty chunk ends nothing", (c) => c.blob(200, "text/plain", chunks("a", "", "b")), { body: "ab" }],
  ["many chunks", (c) => c.blob(200, "text/plain", chunks(...long)), { body: long.join("") }],
  [
    "a character in two chunks",
    (c) => {
      const bytes = encoder.encode("é")
      const parts = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(bytes.slice(0, 1))
          controller.enqueue(bytes.slice(1))
          controller.close()
        },
      })
      return c.blob(200, "text/plain; charset=utf-8", parts)
    },
    { body: "é" },
  ],
  [
    "with its length",
    (c) => {
      c.setHeader("content-length", "2")
      return c.blob(200, "text/plain", chunks("a", "b"))
    },
    { body: "ab" },
  ],
  [
    "a Response of the program's own",
    () => new Response(chunks("a", "b"), { status: 201, headers: { "content-type": "text/x", "x-a": "1" } }),
    { status: 201, body: "ab", headers: { "x-a": "1", "content-type": "text/x" } },
  ],
  [
    "a Response of the program's own that is no stream has its length",
    () => new Response("whole"),
    { body: "whole", headers: { "content-length": "5" } },
  ],
  [
    "a Response of another package",
    () => foreign("ab"),
    { status: 201, body: "ab", headers: { "x-a": "1" }, cookies: ["a=1", "b=2"] },
  ],
  [
    "what another Response has",
    (c) => c.blob(200, "a/b", new Response("body").body as never),
    { body: "body" },
  ],
  [
    "a Blob",
    (c) => c.blob(200, "a/b", new Blob(["a", "b"])),
    { body: "ab", headers: { "content-type": "a/b" } },
  ],
]

/** What breaks after the head is out can be told by the connection alone. */
const broken: ReadonlyArray<readonly [name: string, answer: (c: Context) => Response]> = [
  ["a source that fails", (c) => c.blob(200, "text/plain", chunks("a", new Error("source, on purpose")))],
  [
    "less than its length",
    (c) => {
      c.setHeader("content-length", "5")
      return c.blob(200, "text/plain", chunks("a"))
    },
  ],
]

const answering = (answer: (c: Context) => Response) => app((a) => a.get("/", answer))

/** An app that keeps what it hears of a client's going away, for another request to ask. */
const left = (fill: (a: App, note: (text: string) => void) => void) =>
  app((a) => {
    const notes: string[] = []
    a.get("/notes", (c) => c.string(200, notes.join(" ")))
    fill(a, (text) => notes.push(text))
  })

const abortName = (reason: unknown) => (reason as Error | undefined)?.name ?? String(reason)

/** A stream without end. @param begun is told of its first read, `cancel` of its end. */
function ticking(begun: () => void, cancel = () => {}): ReadableStream<Uint8Array> {
  let first = true
  return new ReadableStream({
    async pull(controller) {
      if (first) begun()
      first = false
      await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(encoder.encode("tick"))
    },
    cancel,
  })
}

const silent: ReadonlyArray<readonly [what: string, answer: (c: Context) => Response]> = [
  ["answer", (c) => c.string(200, "whole")],
  ["Response of the program's own", () => new Response("whole")],
]

const leaving: readonly Case[] = [
  {
    row: "design 3.9",
    name: "c.signal aborts while a handler waits",
    app: left((a, note) =>
      a.get("/", async (c) => {
        note("begun")
        await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
        note(`aborted:${abortName(c.signal.reason)}`)
        return c.noContent()
      }),
    ),
    before: [{ open: "/" }, { path: "/notes", until: /begun/ }, { leave: true }],
    request: { path: "/notes", until: /aborted/ },
    expect: { body: "begun aborted:AbortError" },
  },
  {
    row: "Context Request()",
    name: "its signal aborts too",
    app: left((a, note) =>
      a.get("/", async (c) => {
        const { signal } = c.request
        note("begun")
        await new Promise((resolve) => signal.addEventListener("abort", resolve))
        note(`aborted:${signal.aborted}`)
        return c.noContent()
      }),
    ),
    before: [{ open: "/" }, { path: "/notes", until: /begun/ }, { leave: true }],
    request: { path: "/notes", until: /aborted/ },
    expect: { body: "begun aborted:true" },
  },
  {
    row: "design 3.9",
    name: "c.signal aborts while a Response of the program's own streams",
    app: left((a, note) =>
      a.get("/", (c) => {
        c.signal.addEventListener("abort", () => note(`aborted:${abortName(c.signal.reason)}`))
        return new Response(ticking(() => note("begun")))
      }),
    ),
    before: [{ open: "/" }, { path: "/notes", until: /begun/ }, { leave: true }],
    request: { path: "/notes", until: /aborted/ },
    expect: { body: "begun aborted:AbortError" },
  },
  {
    row: "design 3.9",
    name: "a stream is cancelled when its client leaves",
    app: left((a, note) =>
      a.get("/", (c) =>
        c.blob(
          200,
          "text/plain",
          ticking(
            () => note("begun"),
            () => note("cancelled"),
          ),
        ),
      ),
    ),
    before: [{ open: "/" }, { path: "/notes", until: /begun/ }, { leave: true }],
    request: { path: "/notes", until: /cancelled/ },
    expect: { body: "begun cancelled" },
  },
  {
    row: "design 3.9",
    name: "a stream that is silent is cancelled too",
    app: left((a, note) =>
      a.get("/", (c) =>
        c.blob(
          200,
          "text/plain",
          new ReadableStream<Uint8Array>({
            start(controller) {
              controller.enqueue(encoder.encode("hello"))
              note("begun")
            },
            cancel: () => note("cancelled"),
          }),
        ),
      ),
    ),
    before: [{ open: "/" }, { path: "/notes", until: /begun/ }, { leave: true }],
    request: { path: "/notes", until: /cancelled/ },
    expect: { body: "begun cancelled" },
  },
  ...silent.map(
    ([what, answer]): Case => ({
      row: "design 3.9",
      name: `c.signal stays silent after a whole ${what}`,
      app: left((a, note) => {
        let signal: AbortSignal | undefined
        a.get("/", (c) => {
          signal = c.signal
          return answer(c)
        })
        a.get("/signal", (c) => {
          note(String(signal?.aborted))
          return c.noContent()
        })
      }),
      before: ["/", "/signal"],
      request: "/notes",
      expect: { body: "false" },
    }),
  ),
  {
    row: "Context Bind(&struct)",
    name: "an upload that breaks off rejects, and is no bug",
    app: left((a, note) =>
      a.post("/", async (c) => {
        note("begun")
        await c.bind().then(
          () => note("read"),
          () => note("rejected"),
        )
        return c.noContent()
      }),
    ),
    before: [
      {
        open: {
          path: "/",
          raw: "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        },
      },
      { path: "/notes", until: /begun/ },
      { leave: true },
    ],
    request: { path: "/notes", until: /rejected|read/ },
    expect: { body: "begun rejected" },
  },
  {
    row: "design 3.9",
    name: "c.signal aborts while a body waits that is all there, and it can be read",
    app: left((a, note) =>
      a.post("/", async (c) => {
        note("begun")
        await new Promise((resolve) => c.signal.addEventListener("abort", resolve))
        await c.text().then(
          (text) => note(`read:${text}`),
          () => note("rejected"),
        )
        return c.noContent()
      }),
    ),
    before: [
      {
        open: { path: "/", raw: "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\nwebhook" },
      },
      { path: "/notes", until: /begun/ },
      { leave: true },
    ],
    request: { path: "/notes", until: /rejected|read/ },
    expect: { body: "begun read:webhook" },
  },
]

/** The cases. */
export const streamingCases: readonly Case[] = [
  ...rows.map(
    ([name, answer, expect]): Case => ({
      row: "Context Blob(status, type, data)",
      name: `a stream: ${name}`,
      app: answering(answer),
      request: "/",
      expect,
    }),
  ),
  ...broken.map(
    ([name, answer]): Case => ({
      row: "Context Blob(status, type, data)",
      name: `a broken stream breaks off: ${name}`,
      app: answering(answer),
      request: "/",
      expect: { broken: true },
      via: "socket",
    }),
  ),
  {
    row: "Context Blob(status, type, data)",
    name: "a stream that is read already is a bug",
    app: answering((c) => {
      const body = new Response("x").body as ReadableStream<Uint8Array>
      body.getReader()
      return c.blob(200, "a/b", body)
    }),
    request: "/",
    expect: { status: 500, ...error("internal_server_error", "internal server error") },
  },
  ...leaving.map((one): Case => ({ ...one, via: "socket" })),
]
