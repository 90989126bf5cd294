/** Tests of the code between an app and the servers of Bun and Deno, without a server. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { answerWebRequest, WebExchange } from "../../../adapters/web/handler.ts"
import { mayHaveConnectionHeaders, type OwnResponse } from "../../../adapters/web/own-response.ts"
import { WebStop } from "../../../adapters/web/web-stop.ts"
import { App, type Context } from "../../../lib/index.ts"

const reported: unknown[] = []

/** A request of a runtime that has nothing of its own. */
class PlainExchange extends WebExchange {
  protected override report(error: unknown): void {
    reported.push(error)
  }
}

async function ask(handler: (c: Context) => Response, request = new Request("http://localhost/x"), last = false) {
  const app = new App({ logger: false })
  app.get("/*", handler)
  const stop = new WebStop()
  stop.isClosing = last
  return answerWebRequest(app, new PlainExchange(request, stop))
}

test("a refused request is answered with Connection: close", async () => {
  const request = new Request("http://localhost/x", { headers: { host: "a b" } })
  const response = await ask((c) => c.string(200, c.path), request)
  assert.is(response.status, 400)
  assert.is(response.headers.get("connection"), "close")
  assert.is(response.headers.get("content-type"), "application/json")
})

test("the last answer of a server that stops has Connection: close", async () => {
  const response = await ask((c) => c.string(200, "last"), undefined, true)
  assert.is(response.headers.get("connection"), "close")
})

const ofConnection = ["keep-alive", "te", "transfer-encoding", "upgrade", "proxy-connection", "trailer"]
function setAll(set: (name: string, value: string) => void): void {
  for (const name of ofConnection) set(name, "x")
  set("connection", "keep-alive")
  set("x-own", "1")
}
const places: Record<string, (c: Context) => Response> = {
  "set on the context before the response": (c) => {
    setAll((name, value) => c.setHeader(name, value))
    return c.string(200, "text")
  },
  "set on the context after the response": (c) => {
    const response = c.string(200, "text")
    setAll((name, value) => c.appendHeader(name, value))
    return response
  },
  "set in the headers of the response": (c) => {
    const response = c.string(200, "text")
    setAll((name, value) => response.headers.set(name, value))
    return response
  },
  "set in headers that were read earlier": (c) => {
    const response = c.string(200, "text")
    const { headers } = response
    c.setHeader("x-late", "1")
    setAll((name, value) => headers.set(name, value))
    headers.delete("x-late")
    return response
  },
  "set in a Response that the program created": () => {
    const response = new Response("text", { headers: { "content-type": "text/plain" } })
    setAll((name, value) => response.headers.set(name, value))
    return response
  },
}
for (const [place, handler] of Object.entries(places)) {
  test(`headers of the connection that the program sets are not sent: ${place}`, async () => {
    const names = [...(await ask(handler)).headers.keys()]
    assert.equal(
      names.filter((name) => name !== "x-late"),
      ["content-type", "x-own"],
    )
  })
}

test("an answer of the context is a Response that can be cloned, copied and read", async () => {
  const response = await ask((c) => c.json(201, { a: 1 }))
  assert.instance(response, Response)
  assert.is(response.clone().headers.get("content-type"), "application/json")
  assert.is(new Response(null, response).headers.get("content-type"), "application/json")
  assert.equal(await response.json(), { a: 1 })
})

/** Returns a request as a server passes it, with a URL that no constructor has checked. */
const raw = (url: string, host = "") => ({ method: "GET", url, headers: new Headers({ host }) }) as Request

test("an invalid target or Host is refused even after a similar valid one", async () => {
  const handler = (c: Context) => c.string(200, c.path)
  const status = async (request: Request) => (await ask(handler, request)).status
  const targets = ["http://a.example/x", "http://a.example:99999/x", "http://a.example@b/x", "http://a.examp:le/"]
  assert.equal(await Promise.all(targets.map((target) => status(raw(target)))), [200, 400, 400, 400])
  const hosts = ["a.example", "a.example/", "a.example", "a.example:99999", ""]
  const made = hosts.map((host) => status(raw("http://a.example/x", host)))
  assert.equal(await Promise.all(made), [200, 400, 200, 400, 200])
})

test("in a runtime that only creates URLs of valid hosts, headers are read when the program first uses them, and Host is checked then", async () => {
  const looks: Record<string, (c: Context) => unknown> = {
    nothing: () => "",
    "c.header()": (c) => c.header("x"),
    "c.origin": (c) => c.origin,
    "c.request": (c) => c.request.method,
  }
  for (const [what, look] of Object.entries(looks)) {
    const app = new App({ logger: false })
    app.get("/*", (c) => c.json(200, look(c)))
    const answer = async (host: string) => {
      const request = raw("http://a.example/x", host)
      const { headers } = request
      let areRead = false
      const readHeaders = () => {
        areRead = true
        return headers
      }
      Object.defineProperty(request, "headers", { get: readHeaders })
      const { status } = await answerWebRequest(app, new PlainExchange(request, new WebStop(), true))
      return [status, areRead]
    }
    await answerWebRequest(app, new PlainExchange(raw("http://b.example/x"), new WebStop()))
    assert.equal(await answer("a.example, b"), [400, true], `${what}: the answer to an unknown host`)
    assert.equal(await answer("a.example"), [200, true], `${what}: the answer to a new host`)
    assert.equal(await answer("a.example"), [200, what !== "nothing"], `${what}: the answer to a known host`)
    assert.equal(
      await answer("a.example, b"),
      what === "nothing" ? [200, false] : [400, true],
      `${what}: the answer to two hosts`,
    )
  }
})

test("the headers of an answer by c.string() or c.json() are searched only if the program has read them", async () => {
  const isLookedAt = async (handler: (c: Context) => Response) =>
    mayHaveConnectionHeaders((await ask(handler)) as OwnResponse)
  assert.is(await isLookedAt((c) => c.string(200, "text")), false)
  assert.is(await isLookedAt((c) => c.json(201, { a: 1 })), false)
  const looking = (c: Context) => {
    const answer = c.string(200, "text")
    answer.headers.get("x")
    return answer
  }
  assert.is(await isLookedAt(looking), true)
})

const stream = (...chunks: unknown[]) =>
  new ReadableStream<never>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as never)
      controller.close()
    },
  })
const bytes = (text: string) => new TextEncoder().encode(text)
const streams: ReadonlyArray<readonly [what: string, length: string, chunks: unknown[], read: string | RegExp]> = [
  ["the announced length", "4", [bytes("ab"), bytes("cd")], "abcd"],
  ["more than the announced length", "3", [bytes("ab"), bytes("cd")], /Content-Length of 3/],
  ["less than the announced length", "5", [bytes("ab"), bytes("cd")], /Content-Length of 5/],
  ["text in place of bytes", "4", ["abcd"], /gave string, not a Uint8Array/],
]
for (const [what, length, chunks, read] of streams) {
  test(`a stream with ${what} ${typeof read === "string" ? "is sent" : "fails"}`, async () => {
    const response = await ask((c) => {
      c.setHeader("content-length", length)
      return c.blob(200, "text/plain", stream(...chunks))
    })
    const text = await response.text().catch(String)
    if (typeof read === "string") assert.is(text, read)
    else assert.match(text, read)
  })
}

test("a source that gives an invalid chunk is cancelled", async () => {
  let reason: unknown
  const source = new ReadableStream<never>({
    pull: (controller) => controller.enqueue("text" as never),
    cancel(given) {
      reason = given
    },
  })
  const response = await ask((c) => c.blob(200, "text/plain", source))
  assert.match(await response.text().catch(String), /gave string/)
  assert.match(String(reason), /gave string/)
})

test("the generator of a stream ends when the server is forced to stop", async () => {
  const cutting = new AbortController()
  const app = new App({ logger: false })
  let isReturned = false
  app.get("/", (c) => {
    async function* endless() {
      try {
        for (;;) yield "x"
      } finally {
        isReturned = true
      }
    }
    return c.stream(200, endless(), "text/plain")
  })
  class CutExchange extends PlainExchange {
    protected override get forceSignal(): AbortSignal {
      return cutting.signal
    }
  }
  const exchange = new CutExchange(new Request("http://localhost/"), new WebStop())
  const response = await answerWebRequest(app, exchange)
  const reader = response.body?.getReader()
  await reader?.read()
  cutting.abort(new DOMException("too late", "TimeoutError"))
  assert.is(await reader?.read().catch((error) => error.name), "TimeoutError")
  assert.ok(isReturned)
})

/** Returns a POST request, and counts how often its body is asked for as a stream. */
function post(body: string | ReadableStream<never>, length: string | null, limit = "") {
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" }
  const request = new Request(`http://localhost/${limit}`, init)
  if (length !== null) request.headers.set("content-length", length)
  let streams = 0
  Object.defineProperty(request, "body", {
    get() {
      streams++
      return Reflect.get(Request.prototype, "body", request)
    },
  })
  return { request, streams: () => streams }
}

async function send(request: Request, bodyLimit = 100) {
  const app = new App({ logger: false, bodyLimit })
  app.post("/", async (c) => c.string(200, await c.text()))
  return answerWebRequest(app, new PlainExchange(request, new WebStop()))
}

test("a body of a known length is read without a stream", async () => {
  const { request, streams } = post("a text", "6")
  assert.is(await (await send(request)).text(), "a text")
  assert.is(streams(), 0)
})

test("reading a body asks the runtime for each header only once", async () => {
  const { request } = post("a text", "6")
  const calls: string[] = []
  const get = (name: string) => {
    calls.push(name)
    return Headers.prototype.get.call(request.headers, name)
  }
  const { url } = request
  const known = { method: "POST", url, headers: { get }, arrayBuffer: () => request.arrayBuffer() }
  assert.is(await (await send(known as unknown as Request)).text(), "a text")
  assert.equal(calls.sort(), ["content-encoding", "content-length", "host", "transfer-encoding"])
})

test("a body of an unknown length is read as a stream, up to the limit", async () => {
  assert.is(await (await send(post("a text", null).request)).text(), "a text")
  assert.is((await send(post("a text", null).request, 5)).status, 413)
})

test("a body that is announced as too large is not read", async () => {
  const { request } = post("a text", "6")
  assert.is((await send(request, 5)).status, 413)
  assert.is(request.bodyUsed, false)
})

test("a body that is cut off is a 400", async () => {
  const cut = new ReadableStream<never>({
    pull(controller) {
      controller.error(new TypeError("the connection was closed"))
    },
  })
  const response = await send(post(cut, "6").request)
  assert.is(response.status, 400)
  assert.match(await response.text(), /the body ended too early/)
})

test("no test in this file caused the report of a bug", () => assert.equal(reported, []))

test.run()
