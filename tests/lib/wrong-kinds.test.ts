/**
 * Tests of arguments with wrong types, as JavaScript and `any` allow them: every public method refuses them with a
 * message of fw, or accepts them.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import * as node from "../../adapters/node.ts"
import * as workers from "../../adapters/workers.ts"
import { RouteGroup } from "../../lib/group.ts"
import { html } from "../../lib/html.ts"
import * as fw from "../../lib/index.ts"
import { App, type Context, FwError, HttpError, type MiddlewareFunc, proxy } from "../../lib/index.ts"
import * as testing from "../../lib/testing.ts"

type Call = (...given: never[]) => unknown
/** Valid arguments, and for each position the other types that it accepts. */
type Rows = Readonly<Record<string, ReadonlyArray<readonly [valid: unknown, ...taken: Kind[]]>>>

const kinds = {
  undefined: undefined,
  null: null,
  // 0 is a free port where a port is expected.
  number: 0,
  fraction: 0.5,
  "empty text": "",
  text: "x",
  object: {},
  array: [],
  "array of null": [null],
  function: () => {},
}
type Kind = keyof typeof kinds

/** Errors of runtimes that show a mistake inside of fw. */
const inside =
  /Cannot (?:read|destructure|convert|set)|is not (?:a function|iterable|a constructor)|\(reading|must be of type|Invalid URL|not an instance of/

// listen() without arguments reads this variable.
process.env.PORT = "0"

const handler = (c: Context) => c.noContent()
/** An empty stream that each call can read, because every reader gets its own iterator. */
const pieces = { async *[Symbol.asyncIterator]() {} }
const route = [["/v", "empty text", "text"] as const, [handler, "function"] as const]
const options = [{}, "undefined", "object"] as const

const ofApp: Rows = {
  use: [[(next: never) => next, "function"]],
  get: route,
  post: route,
  put: route,
  patch: route,
  delete: route,
  head: route,
  options: route,
  all: route,
  registerRoute: [["GET", "text"], ...route],
  socket: route,
  group: [
    ["/g", "empty text", "text"],
    [() => {}, "function"],
  ],
  static: [["/s"], ["tests"], options],
  setProxy: [[() => proxy.continue(), "function"], options],
  openapi: [[{}, "undefined", "empty text", "text", "object"]],
  onError: [[handler, "function"]],
  notFound: [[handler, "function"]],
  setLogger: [[{}, "object"]],
  mount: [[{ tree: { routes: [], pages: [], middleware: [], layouts: [] }, modules: {} }]],
  listen: [["127.0.0.1:0", "undefined", "number", "object"]],
  mountHandler: [
    ["/m", "empty text"],
    [handler, "function"],
  ],
  shutdown: [[undefined, "undefined"], options],
  onShutdown: [[() => {}, "function"]],
  health: [options],
  fetch: [[new Request("http://x/")]],
  request: [["/", "empty text", "text"]],
  scan: [],
  enableLogger: [],
  disableLogger: [],
}

/** A schema that accepts everything. */
const schema = {
  "~standard": { version: 1, vendor: "tests", validate: (value: unknown) => ({ value }) },
} as const

const name = ["a", ...(Object.keys(kinds) as Kind[])] as const
const ofContext: Rows = {
  addSignal: [[new AbortController().signal]],
  json: [[200], [{}, "null", "number", "fraction", "empty text", "text", "object", "array", "array of null"]],
  html: [[200], ["a", "number", "fraction", "empty text", "text", "array", "array of null"]],
  page: [[200], ["Title", "empty text", "text"], [html`<p>hello</p>`], options],
  xml: [[200], ["a", "number", "fraction", "empty text", "text", "array", "array of null"]],
  string: [[200], ["a", "number", "fraction", "empty text", "text", "array", "array of null"]],
  blob: [[200], ["a/b", "empty text", "text"], ["a", "empty text", "text"]],
  file: [
    ["tests", "text"],
    ["none.txt", "empty text", "text"],
    [{}, "undefined", "object"],
  ],
  stream: [[200], [pieces], ["a/b", "undefined", "null", "empty text", "text"]],
  span: [
    ["part", "text"],
    [() => {}, "function"],
  ],
  sse: [[() => {}, "function"], options],
  noContent: [],
  redirect: [[302], ["/a", "text"]],
  setHeader: [
    ["x-a", "text"],
    ["b", "empty text", "text"],
  ],
  appendHeader: [
    ["x-a", "text"],
    ["b", "empty text", "text"],
  ],
  setCookie: [[{ name: "a", value: "b" }]],
  flash: [["saved", "empty text", "text"]],
  flashed: [],
  waitUntil: [[Promise.resolve()]],
  bind: [[undefined, "undefined"]],
  // A name that does not exist is read as undefined.
  param: [name],
  paramInt: [name],
  query: [name],
  queryDefault: [name, name],
  queryInt: [name, name],
  queryBool: [name, name],
  queryAll: [name],
  header: [name],
  cookie: [name],
  formValue: [name],
  formFile: [name],
  set: [name, name],
  get: [name],
  getString: [name],
  getInt: [name],
  getBool: [name],
  text: [],
  bytes: [],
  form: [],
  bindForm: [[schema], options],
  bindQuery: [[schema]],
  readForm: [[schema], options],
  parts: [options],
}

const ofProxy: Rows = {
  continue: [],
  // The results of these methods are checked when they become an answer: tests/support/contract/answers-refused.ts.
  redirect: [name, name],
  responseJSON: [name, name],
  rewrite: [["/a"]],
}

const ofModule: Rows = {
  basicAuth: [[{ users: { ada: "secret" } }]],
  bearerAuth: [[{ tokens: ["secret"] }]],
  bodyLimit: [[5, "number"]],
  compress: [options],
  cors: [options],
  csrf: [options],
  etag: [options],
  ipRestriction: [[{ allow: ["::1"] }]],
  jwt: [[{ secret: "a secret of at least thirty-two bytes" }]],
  logger: [options],
  pinoLog: [[{ debug() {}, info() {}, warn() {}, error() {} }]],
  rateLimit: [options],
  recover: [options],
  requestID: [options],
  secureHeaders: [options],
  serverTiming: [options],
  timeout: [[30, "fraction"], options],
}

/** Stands for the context of a request in a row. */
const context = Symbol("context")

/** Functions that handlers and their middleware call. */
const ofHandler: Rows = {
  contextKey: [["team", "empty text", "text"]],
  newForm: [[{}, "undefined", "object"]],
  peekResponse: [[context], [new Response(null)]],
  replaceResponse: [[context], [new Response(null)], [{}, "object"]],
}

const wrap = (next: never) => next
const ofCombine: Rows = {
  some: [
    [wrap, "function"],
    [wrap, "function"],
  ],
  every: [
    [wrap, "function"],
    [wrap, "function"],
  ],
  except: [
    ["/a", "function"],
    [wrap, "function"],
  ],
  only: [
    ["/a", "function"],
    [wrap, "function"],
  ],
}

const ofAdapters: Rows = {
  testClient: [[new App({ logger: false })], options],
  nodeHandler: [[new App({ logger: false })]],
  nodeUpgrade: [[new App({ logger: false })]],
  serve: [[new App({ logger: false })], [{ port: 0, host: "127.0.0.1" }, "undefined", "number", "object"]],
  "workers serve": [[new App({ logger: false })]],
}

/** Returns the error that a call throws or rejects with, or undefined if it accepts its arguments. */
async function catchFailure(run: () => unknown): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    return error
  }
}

/** Calls each function with every wrong type at every position of its arguments. */
function play(what: string, rows: Rows, call: (name: string, given: unknown[]) => unknown, developer: boolean) {
  for (const [method, places] of Object.entries(rows)) {
    for (const [place, [, ...taken]] of places.entries()) {
      for (const [kind, value] of Object.entries(kinds)) {
        test(`${what} ${method}: ${kind} as argument ${place + 1} ${taken.includes(kind as Kind) ? "works" : "is refused"}`, async () => {
          const given = places.map(([valid], i) => (i === place ? value : valid))
          const failure = await catchFailure(() => call(method, given))
          // The file does not exist, so a 404 is the correct answer.
          const isAnswer = method === "file" && failure instanceof HttpError && failure.status === 404
          if (taken.includes(kind as Kind)) assert.is(isAnswer ? undefined : failure, undefined, `${failure}`)
          else {
            assert.instance(failure, developer ? FwError : Error, `${failure}`)
            assert.not.match((failure as Error).message, inside)
            if (failure instanceof FwError) assert.ok(failure.fix.length > 5, "the error does not say what to write")
            else assert.instance(failure, TypeError)
          }
        })
      }
    }
  }
}

const answering = ["fetch", "request"]
const only = (rows: Rows, names: readonly string[], wanted: boolean): Rows =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => names.includes(name) === wanted))

async function onApp(method: string, given: unknown[]) {
  const app = new App({ logger: false }) as unknown as Record<string, Call> & App
  try {
    return await app[method]?.(...(given as never[]))
  } finally {
    await app.shutdown()
  }
}

function inGroup(method: string, given: unknown[]) {
  new App({ logger: false }).group("/in", (group) =>
    (group as unknown as Record<string, Call>)[method]?.(...(given as never[])),
  )
}

/**
 * Calls a function while a request is answered, after a middleware. @throws the error with which the call fails.
 */
async function inRequest(run: (c: Context) => unknown) {
  const app = new App({ logger: false })
  let failure: unknown
  const guard: MiddlewareFunc = (next) => (c) => next(c)
  app.get("/", guard, async (c) => {
    failure = await catchFailure(() => run(c))
    return c.noContent()
  })
  await app.request("/")
  if (failure !== undefined) throw failure
}

const inHandler = (method: string, given: unknown[]) =>
  inRequest((c) => {
    const places = given.map((one) => (one === context ? c : one))
    return (fw as unknown as Record<string, Call>)[method]?.(...(places as never[]))
  })

async function onContext(method: string, given: unknown[]) {
  const app = new App({ logger: false })
  let failure: unknown
  app.post("/{id}", async (c) => {
    failure = await catchFailure(() => (c as unknown as Record<string, Call>)[method]?.(...(given as never[])))
    return c.noContent()
  })
  const isBind = method === "bind"
  await app.request("/1?x=1", {
    method: "POST",
    body: isBind ? "{}" : new URLSearchParams({ x: "1" }),
    headers: isBind ? { "content-type": "application/json" } : {},
  })
  if (failure !== undefined) throw failure
}

const adapters: Readonly<Record<string, Call>> = {
  ...(testing as object),
  nodeHandler: node.nodeHandler,
  nodeUpgrade: node.nodeUpgrade,
  serve: async (...given) =>
    (await (node.serve as (...all: never[]) => Promise<{ shutdown(): Promise<void> }>)(...given)).shutdown(),
  "workers serve": workers.serve,
}

play("App", only(ofApp, answering, false), onApp, true)
play("App", only(ofApp, answering, true), onApp, false)
/** Functions that each app has as its own properties. */
const ownFunctions = Object.keys(new App()).filter((name) => name !== "router")
const groupMethods = [...Object.getOwnPropertyNames(RouteGroup.prototype), ...ownFunctions]
play("RouteGroup", only(only(ofApp, groupMethods, true), answering, false), inGroup, true)
play("Context", ofContext, onContext, false)
play("handler", ofHandler, inHandler, false)
play(
  "proxy",
  ofProxy,
  (method, given) => (proxy as unknown as Record<string, Call>)[method]?.(...(given as never[])),
  true,
)
play(
  "combine",
  ofCombine,
  (method, given) => (fw.combine as unknown as Record<string, Call>)[method]?.(...(given as never[])),
  true,
)
play(
  "middleware",
  ofModule,
  (method, given) => (fw as unknown as Record<string, Call>)[method]?.(...(given as never[])),
  true,
)
play("adapters", ofAdapters, (method, given) => adapters[method]?.(...(given as never[])), true)

/** Returns the methods of a class and of the classes that it extends. */
function listMethods(type: { prototype: object }): string[] {
  const found: string[] = []
  for (let at = type.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === "function" && name !== "constructor") found.push(name)
  return [...new Set(found)].sort()
}

async function contextClass() {
  const app = new App({ logger: false })
  let type: { prototype: object } | undefined
  app.get("/", (c) => {
    type = c.constructor as unknown as { prototype: object }
    return c.noContent()
  })
  await app.request("/")
  return type as { prototype: object }
}

/** These functions do not process their arguments. */
const elsewhere = [
  // These only create errors, whose arguments are their texts.
  "badRequest",
  "forbidden",
  "internalServerError",
  "notFound",
  "unauthorized",
  // These are called within a request, and tested in tests/lib/middleware/middleware.test.ts.
]

test("every public method is in the table", async () => {
  assert.equal(Object.keys(ofApp).sort(), [...listMethods(App), ...ownFunctions].sort())
  assert.equal(Object.keys(ofContext).sort(), listMethods(await contextClass()))
  assert.equal(Object.keys(ofProxy).sort(), Object.keys(proxy).sort())
  assert.equal(Object.keys(ofCombine).sort(), Object.keys(fw.combine).sort())
  const calls = Object.entries(fw).filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name))
  assert.equal(
    [...Object.keys(ofModule), ...Object.keys(ofHandler)].sort(),
    calls
      .map(([name]) => name)
      .filter((name) => !elsewhere.includes(name))
      .sort(),
  )
  const others = [
    ...Object.keys(testing),
    ...Object.keys(node),
    ...Object.keys(workers).map((name) => `workers ${name}`),
  ]
  const internal = ["limits", "workers answerWorker", "workers takeUpgrades"]
  assert.equal(Object.keys(ofAdapters).sort(), others.filter((name) => !internal.includes(name)).sort())
})

const misfits: ReadonlyArray<readonly [what: string, run: () => unknown, message: RegExp, fix?: string]> = [
  [
    "app.use(cors), where cors was not called",
    () => fw.cors((() => {}) as never),
    /^cors\(\) takes an object of options, not a function$/,
    "Write { origins: … }. To use it as a middleware, call it: app.use(cors({ origins: … })).",
  ],
  [
    "an unknown option of a call with one option",
    () => fw.csrf({ origin: [] } as never),
    /^csrf\(\) has no option "origin"$/,
    "Its only option is origins.",
  ],
  [
    "a path before a middleware of the app",
    () => new App({ logger: false }).use("/api" as never),
    /^app\.use\(\) was given a string, not a middleware$/,
    'It takes no path. Write app.use(combine.only("/api/*", …)).',
  ],
  [
    "a path before a middleware of a group",
    () => new App({ logger: false }).group("/a", (group) => group.use("/b" as never)),
    /^group\.use\(\) was given a string, not a middleware$/,
    'It takes no path. Write group.group("/b", (inner) => { inner.use(…) }).',
  ],
  [
    "an option of the wrong type",
    () => fw.recover({ answer: 5 } as never),
    /^recover\(\) takes a function as answer, not a number$/,
  ],
  [
    "a text in place of a list",
    () => fw.cors({ methods: "GET" } as never),
    /^cors\(\) was given a string, not a list of names$/,
  ],
  ["an empty set of users", () => fw.basicAuth({ users: {} }), /no users/],
  ["a list of users", () => fw.basicAuth({ users: ["ada"] as never }), /no users/],
  [
    "the port 65536",
    () => node.serve(new App({ logger: false }), { port: 65_536 }),
    /^serve\(\) was given the port 65536, which is not a port from 0 to 65535$/,
  ],
  [
    "an app of another copy of fw",
    () => node.nodeHandler({ fetch() {} } as never),
    /^nodeHandler\(\) .*an app of another copy of fw$/,
  ],
  ["a value that is not an app", () => node.nodeHandler({} as never), /^nodeHandler\(\) takes an App, not an object$/],
  [
    "another app in place of its fetch",
    () => new App({ logger: false }).mountHandler("/x", new App() as never),
    /^mountHandler\("\/x"\) was given an object, not a function$/,
    "Write (request) => new Response(). For another app, pass its fetch: other.fetch.",
  ],
  [
    "a middleware that is not one",
    () => new App({ logger: false }).get("/", 5 as never, handler),
    /^get\("\/"\) was given a number, not a middleware$/,
  ],
  [
    "a middleware as Express has it",
    () => new App({ logger: false }).use(((_req: never, _res: never, _next: never) => {}) as never),
    /^app\.use\(\) was given a function of 3 parameters, not a middleware$/,
  ],
  [
    "a handler of errors as Express has it",
    () => new App({ logger: false }).use(((_a: never, _b: never, _c: never, _d: never) => {}) as never),
    /^app\.use\(\) was given a function of 4 parameters/,
  ],
  [
    "a middleware of a route as Hono has it",
    () => new App({ logger: false }).get("/", ((_c: never, _next: never) => handler) as never, handler),
    /^get\("\/"\) was given a function of 2 parameters/,
  ],
  [
    "a route without a handler after its middleware",
    () => new App({ logger: false }).get("/", fw.cors(), undefined as never),
    /^get\("\/"\) was given undefined, not a function$/,
  ],
]
for (const [what, run, message, fix] of misfits) {
  test(`a call is refused with ${what}`, async () => {
    const failure = await catchFailure(run)
    assert.instance(failure, FwError, `${failure}`)
    assert.match((failure as Error).message, message)
    if (fix) assert.is((failure as FwError).fix, fix)
  })
}

const shown: ReadonlyArray<readonly [run: (value: never) => unknown, value: unknown, message: string]> = [
  [(limit) => fw.rateLimit({ limit }), "5", 'rateLimit() was given a limit of "5"'],
  [(window) => fw.rateLimit({ window }), 0.5, "rateLimit() was given a window of 0.5"],
  [(limit) => fw.rateLimit({ limit }), Object.create(null), "rateLimit() was given a limit of an object"],
  [(limit) => fw.bodyLimit(limit), "1", 'bodyLimit()\'s limit is "1", which is not a number of bytes'],
  [(limit) => fw.bodyLimit(limit), -1, "bodyLimit()'s limit is -1, which is not a number of bytes"],
  [(bodyLimit) => new App({ bodyLimit }), "9", 'the option bodyLimit is "9", which is not a number of bytes'],
  [
    (formPartLimit) => new App({ formPartLimit }),
    "9",
    'the option formPartLimit is "9", which is not a number of parts',
  ],
  [(threshold) => fw.compress({ threshold }), "9", 'compress() was given a threshold of "9"'],
  [(maxAge) => fw.cors({ maxAge }), "9", 'cors() was given a maxAge of "9"'],
  [(status) => fw.timeout(3, { status }), "503", 'timeout() was given the status "503"'],
]
for (const [run, value, message] of shown) {
  test(`the error shows the wrong value: ${message}`, async () => {
    assert.is(((await catchFailure(() => run(value as never))) as Error).message, message)
  })
}

const withoutOptions = { basicAuth: "users", bearerAuth: "tokens", jwt: "secret", ipRestriction: "allow" }
for (const [name, option] of Object.entries(withoutOptions)) {
  test(`${name}() without its argument says what to write`, async () => {
    const failure = await catchFailure(() => (fw as unknown as Record<string, Call>)[name]?.())
    assert.is((failure as FwError).message, `${name}() takes an object of options, not undefined`)
    assert.is((failure as FwError).fix, `Write ${name}({ ${option}: … }).`)
  })
}

const refusals: ReadonlyArray<readonly [run: (c: Context) => unknown, message: string]> = [
  [() => fw.contextKey("team").get(undefined as never), 'contextKey("team").get() takes the context c, not undefined'],
  [() => fw.contextKey("team").find(7 as never), 'contextKey("team").find() takes the context c, not a number'],
  [
    (c) => fw.contextKey("team").get(c),
    'contextKey("team") has no value here: no middleware of this route has called its set(c, value). Add the middleware, or read it with find(c), which returns undefined then',
  ],
  [() => fw.contextKey("team").set({} as never, 1), 'contextKey("team").set() takes the context c, not an object'],
  [(c) => c.span("", () => 1), 'c.span() takes a name such as "load orders", not an empty text'],
  [(c) => c.span((() => 1) as never, "db" as never), 'c.span() takes a name such as "load orders", not a function'],
  [(c) => c.span("db", 5 as never), "c.span() takes a function to run, not a number"],
  [
    (c) => fw.peekResponse(c, Promise.resolve() as never),
    "peekResponse() takes the Response of next(c), not a promise: write await before it",
  ],
]
for (const [run, message] of refusals) {
  test(`a handler gets the error: ${message}`, async () => {
    const failure = await catchFailure(() => inRequest(run))
    assert.instance(failure, TypeError)
    assert.is((failure as Error).message, message)
  })
}

const httpErrors = ["badRequest", "unauthorized", "forbidden", "notFound", "internalServerError"]
for (const name of httpErrors) {
  for (const value of [{}, [], new Error("x"), () => {}]) {
    test(`${name}() refuses a message that is an object or a function: ${value}`, async () => {
      const failure = await catchFailure(() => (fw as unknown as Record<string, Call>)[name]?.(value as never))
      assert.instance(failure, TypeError)
      assert.is((failure as Error).message, "an HttpError's message is a string, such as error.message")
    })
  }
}

test.run()
