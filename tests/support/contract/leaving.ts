/**
 * Contract cases: clients that disconnect while a handler waits, while an answer streams, or while a body arrives.
 */
import type { App, Context } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

const encoder = new TextEncoder()

/** Returns an app that records what it notices when a client disconnects. Another request asks for the record. */
const left = (fill: (a: App, note: (text: string) => void) => void) =>
  app((a) => {
    const notes: string[] = []
    a.get("/notes", (c) => c.string(200, notes.join(" ")))
    fill(a, (text) => notes.push(text))
  })

const abortName = (reason: unknown) => (reason as Error | undefined)?.name ?? String(reason)

/** Returns an endless stream. @param begun is called at its first read, `cancel` at its end. */
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
  ["an answer", (c) => c.string(200, "whole")],
  ["a Response that the program made", () => new Response("whole")],
]

const cases: readonly Case[] = [
  {
    subject: "disconnecting",
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
    subject: "c.request",
    name: "the signal of c.request aborts too when the client disconnects",
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
    subject: "disconnecting",
    name: "c.signal aborts while a Response that the program made is streamed",
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
    subject: "disconnecting",
    name: "a stream is cancelled when its client disconnects",
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
    subject: "disconnecting",
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
      subject: "disconnecting",
      name: `c.signal does not abort after ${what} was sent whole`,
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
    subject: "c.bind()",
    name: "an upload that breaks off rejects, and is not reported as a bug",
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
    subject: "disconnecting",
    name: "c.signal aborts while a whole body waits, and the body can still be read",
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

export const leavingCases: readonly Case[] = cases.map((one) => ({ ...one, via: "socket" }))
