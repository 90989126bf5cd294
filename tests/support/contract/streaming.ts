/** Contract cases: answers that stream completely, break off, or lose their client. */
import type { Context } from "../../../lib/index.ts"
import { foreignResponse } from "../lib/foreign.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const encoder = new TextEncoder()

/** Returns a stream of texts. An error in the list makes the stream fail there. */
function chunks(...list: ReadonlyArray<string | Error>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Each chunk comes in its own turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve, 1))
      const next = list[at++]
      if (next instanceof Error) controller.error(next)
      else if (next === undefined) controller.close()
      else controller.enqueue(encoder.encode(next))
    },
  })
}

/** Returns a Response like that of a ponyfill. */
function foreign(text: string): Response {
  const headers = new Headers({ "content-type": "text/x", "x-a": "1" })
  for (const cookie of ["a=1", "b=2"]) headers.append("set-cookie", cookie)
  return foreignResponse(new Response(text).body, headers, 201)
}

const long = Array.from({ length: 200 }, (_, index) => `${index},`.repeat(100))

type Row = readonly [name: string, answer: (c: Context) => Response, expect: Expected]
const rows: readonly Row[] = [
  ["chunks are sent in order", (c) => c.blob(200, "text/plain", chunks("a", "b", "c")), { body: "abc" }],
  ["a stream without chunks sends an empty body", (c) => c.blob(200, "text/plain", chunks()), { body: "" }],
  ["an empty chunk does not end the body", (c) => c.blob(200, "text/plain", chunks("a", "", "b")), { body: "ab" }],
  ["many chunks are sent", (c) => c.blob(200, "text/plain", chunks(...long)), { body: long.join("") }],
  [
    "a character in two chunks is sent whole",
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
    "a stream with Content-Length is sent whole",
    (c) => {
      c.setHeader("content-length", "2")
      return c.blob(200, "text/plain", chunks("a", "b"))
    },
    { body: "ab" },
  ],
  [
    "a Response with a stream is sent with its status and headers",
    () => new Response(chunks("a", "b"), { status: 201, headers: { "content-type": "text/x", "x-a": "1" } }),
    { status: 201, body: "ab", headers: { "x-a": "1", "content-type": "text/x" } },
  ],
  [
    "a Response with a text is sent with its length",
    () => new Response("whole"),
    { body: "whole", headers: { "content-length": "5" } },
  ],
  [
    "a Response of another package is sent with its status, headers and cookies",
    () => foreign("ab"),
    { status: 201, body: "ab", headers: { "x-a": "1" }, cookies: ["a=1", "b=2"] },
  ],
  [
    "the body of another Response is sent",
    (c) => c.blob(200, "a/b", new Response("body").body as never),
    { body: "body" },
  ],
  [
    "a Blob is sent",
    (c) => c.blob(200, "a/b", new Blob(["a", "b"])),
    { body: "ab", headers: { "content-type": "a/b" } },
  ],
]

/** Failures after the head was sent, which only the connection can show. */
const broken: ReadonlyArray<readonly [name: string, answer: (c: Context) => Response]> = [
  ["a source that fails", (c) => c.blob(200, "text/plain", chunks("a", new Error("source, on purpose")))],
  [
    "a stream that is shorter than its Content-Length",
    (c) => {
      c.setHeader("content-length", "5")
      return c.blob(200, "text/plain", chunks("a"))
    },
  ],
]

const answering = (answer: (c: Context) => Response) => app((a) => a.get("/", answer))

export const streamingCases: readonly Case[] = [
  ...rows.map(
    ([name, answer, expect]): Case => ({
      subject: "c.blob()",
      name: `streams: ${name}`,
      app: answering(answer),
      request: "/",
      expect,
    }),
  ),
  ...broken.map(
    ([name, answer]): Case => ({
      subject: "c.blob()",
      name: `streams: ${name} breaks the answer off`,
      app: answering(answer),
      request: "/",
      expect: { broken: true },
      via: "socket",
    }),
  ),
  {
    subject: "c.blob()",
    name: "a stream that was read already is a bug",
    app: answering((c) => {
      const body = new Response("x").body as ReadableStream<Uint8Array>
      body.getReader()
      return c.blob(200, "a/b", body)
    }),
    request: "/",
    expect: { status: 500, ...error("internal_server_error", "internal server error") },
  },
]
