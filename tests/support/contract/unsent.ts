/** Contract cases: answers that are created but not sent. Their streams must be cancelled. */
import { type Context, combine, HttpError, type MiddlewareFunc, replaceResponse } from "../../../lib/index.ts"
import { type Ask, app, type Case } from "./case.ts"

const encoder = new TextEncoder()

/** Returns a stream that notes when it is cancelled, and when it was read completely. */
function source(note: (text: string) => void): ReadableStream<Uint8Array> {
  let left = 2
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (left-- > 0) return controller.enqueue(encoder.encode("old "))
        note("read")
        controller.close()
      },
      cancel: () => note("cancelled"),
    },
    { highWaterMark: 0 },
  )
}

type Make = (c: Context, stream: () => ReadableStream<Uint8Array>) => Response | Promise<Response>

/** The type is set, because runtimes add different ones to a Response without it. */
const typed = { headers: { "content-type": "text/x" } }

const made: ReadonlyArray<readonly [what: string, make: Make]> = [
  ["c.stream()", (c, stream) => c.stream(200, stream())],
  ["c.blob()", (c, stream) => c.blob(200, "text/plain", stream())],
  ["a Response", (_, stream) => new Response(stream(), typed)],
  [
    "a Response that got headers",
    (c, stream) => {
      c.setHeader("x-a", "1")
      return new Response(stream(), typed)
    },
  ],
]

/** Middleware that drops the answer of the next handler. */
const dropping: ReadonlyArray<readonly [how: string, middleware: MiddlewareFunc, body: string]> = [
  [
    "another answer",
    (next) => async (c) => {
      await next(c)
      return c.string(200, "new")
    },
    "new",
  ],
  [
    "a Response",
    (next) => async (c) => {
      await next(c)
      return new Response("new")
    },
    "new",
  ],
  [
    "an answer without a body",
    (next) => async (c) => {
      await next(c)
      return c.noContent()
    },
    "",
  ],
  [
    "a stream",
    (next) => async (c) => {
      await next(c)
      return c.stream(
        200,
        (async function* () {
          yield "new"
        })(),
      )
    },
    "new",
  ],
  [
    "an HttpError",
    (next) => async (c) => {
      await next(c)
      return new HttpError(503, "no")
    },
    '{"error":"service_unavailable","message":"no"}',
  ],
  [
    "an error that is thrown",
    (next) => async (c) => {
      await next(c)
      throw new HttpError(503, "no")
    },
    '{"error":"service_unavailable","message":"no"}',
  ],
  [
    "a bug",
    (next) => async (c) => {
      await next(c)
      throw new Error("a bug on purpose")
    },
    '{"error":"internal_server_error","message":"internal server error"}',
  ],
  ["replaceResponse()", (next) => async (c) => replaceResponse(c, await next(c), { body: "new" }), "new"],
  [
    "the answer of a second call of next()",
    (next) => async (c) => {
      await next(c)
      c.set("again", true)
      return next(c)
    },
    "again",
  ],
]

/** Middleware that passes on the body of the next handler's answer. */
const passing: ReadonlyArray<readonly [how: string, middleware: MiddlewareFunc, body: string]> = [
  ["in a Response", (next) => async (c) => new Response((await next(c)).body, typed), "old old "],
  [
    "in a copy of the Response",
    (next) => async (c) => {
      const response = await next(c)
      return new Response(response.body, response)
    },
    "old old ",
  ],
  ["in c.blob()", (next) => async (c) => c.blob(200, "text/plain", (await next(c)).body as never), "old old "],
  [
    "in a generator that has not begun",
    (next) => async (c) => {
      const { body } = await next(c)
      return c.stream(
        200,
        (async function* () {
          yield "new "
          for await (const chunk of body as never as AsyncIterable<Uint8Array>) yield chunk
        })(),
      )
    },
    "new old old ",
  ],
  [
    "through a transform",
    (next) => async (c) => {
      const response = await next(c)
      return new Response(response.body?.pipeThrough(new TransformStream()) ?? null, response)
    },
    "old old ",
  ],
  ["by replaceResponse()", (next) => async (c) => replaceResponse(c, await next(c), { status: 201 }), "old old "],
  [
    "by replaceResponse() to a generator that has not begun",
    (next) => async (c) =>
      replaceResponse(c, await next(c), {
        status: 201,
        body: (body) => lazily(body as ReadableStream<Uint8Array>),
      }),
    "old old ",
  ],
  [
    "by a clone",
    (next) => async (c) => {
      const response = await next(c)
      kept.set(c.path, response)
      return response.clone()
    },
    "old old ",
  ],
  ["by the text that was read", (next) => async (c) => c.string(200, await (await next(c)).text()), "old old "],
]

/** Returns a stream that starts to read another one when it is read itself. */
function lazily(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= body.getReader()
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The responses that a middleware stores. */
const kept = new Map<string, Response>()

const noting = (middleware: MiddlewareFunc, make: Make) =>
  app((a) => {
    let notes: string[] = []
    a.get("/notes", (c) => {
      const text = notes.join(" ")
      if (text !== "") notes = []
      return c.string(200, text)
    })
    a.group("", (g) => {
      g.use(middleware)
      g.get("/", (c) => (c.get("again") ? c.string(200, "again") : make(c, () => source((text) => notes.push(text)))))
    })
  })

const asking: Ask = { path: "/notes", until: /./ }

const others: readonly Case[] = [
  {
    subject: "combine.some()",
    name: "the stream of a refusal that is not sent is cancelled",
    app: app((a) => {
      const notes: string[] = []
      const refusing: MiddlewareFunc = () => () =>
        new Response(
          source((text) => notes.push(text)),
          { status: 403 },
        )
      a.get(
        "/",
        combine.some(refusing, (next) => next),
        (c) => c.string(200, "in"),
      )
      a.get("/notes", (c) => c.string(200, notes.join()))
    }),
    before: ["/"],
    request: asking,
    expect: { body: "cancelled" },
  },
  {
    subject: "app.onError()",
    name: "a stream that was made before the error is cancelled",
    app: app((a) => {
      const notes: string[] = []
      a.onError((c) => c.string(500, "sorry"))
      a.get("/", (c) => {
        c.stream(
          200,
          source((text) => notes.push(text)),
        )
        throw new Error("a bug on purpose")
      })
      a.get("/notes", (c) => c.string(200, notes.join()))
    }),
    before: ["/"],
    request: asking,
    expect: { body: "cancelled" },
  },
  {
    subject: "app.mountHandler()",
    name: "the answer of a mounted handler that is replaced is cancelled",
    app: app((a) => {
      const notes: string[] = []
      a.use((next) => async (c) => {
        const response = await next(c)
        return c.path === "/m" ? c.string(200, "new") : response
      })
      a.mountHandler("/m", () => new Response(source((text) => notes.push(text))))
      a.get("/notes", (c) => c.string(200, notes.join()))
    }),
    before: ["/m"],
    request: asking,
    expect: { body: "cancelled" },
  },
  {
    subject: "app.use()",
    name: "the generator of a stream that is not sent returns",
    app: app((a) => {
      let isOver = false
      a.get(
        "/",
        (next) => async (c) => {
          const response = await next(c)
          const reader = response.body?.getReader()
          await reader?.read()
          reader?.releaseLock()
          return c.string(200, "new")
        },
        (c) =>
          c.stream(
            200,
            (async function* () {
              try {
                yield "a"
                yield "b"
              } finally {
                isOver = true
              }
            })(),
          ),
      )
      a.get("/notes", (c) => c.string(200, isOver ? "over" : ""))
    }),
    before: ["/"],
    request: asking,
    expect: { body: "over" },
  },
]

export const unsentCases: readonly Case[] = [
  ...made.flatMap(([what, make]) =>
    dropping.flatMap(([how, middleware, body]): Case[] => [
      {
        subject: "app.use()",
        name: `${how} in place of ${what} is sent`,
        app: noting(middleware, make),
        request: "/",
        expect: {
          status: /^no|bug|HttpError|thrown/.test(how) ? (how === "a bug" ? 500 : 503) : body === "" ? 204 : 200,
          body,
        },
      },
      {
        subject: "app.use()",
        name: `the stream of ${what} is cancelled when ${how} is sent`,
        app: noting(middleware, make),
        before: ["/"],
        request: asking,
        expect: { body: "cancelled" },
      },
    ]),
  ),
  ...made.flatMap(([what, make]) =>
    passing.flatMap(([how, middleware, body]): Case[] => [
      {
        subject: "app.use()",
        name: `the body of ${what} is passed on ${how}`,
        app: noting(middleware, make),
        request: "/",
        expect: { status: how.includes("replaceResponse") ? 201 : 200, body },
      },
      {
        subject: "app.use()",
        name: `the stream of ${what} is read to its end ${how}`,
        app: noting(middleware, make),
        before: ["/"],
        request: asking,
        expect: { body: "read" },
      },
    ]),
  ),
  ...others,
]
