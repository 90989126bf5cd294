/** The error reference of the application: what it registers, and how it is configured. */
import { applicationMessages } from "../../../lib/messages/application.ts"
import { leftOutMessages } from "../../../lib/messages/left-out.ts"
import { mcpMessages } from "../../../lib/messages/mcp.ts"
import { patternMessages } from "../../../lib/messages/patterns.ts"
import { type Entry, entriesOf } from "./entry.ts"

const patterns = entriesOf(patternMessages, {
  pattern: [
    "A path pattern has static segments, parameters `{name}` (also `:name` and `[name]`), and at the end a catch-all `*` or `[...name]`. The message marks the segment that is wrong. In a route directory, the pattern is the path of a directory.",
    {
      "pattern.kind": [7],
      "pattern.slash": ["users/{id}"],
      "pattern.empty": ["/users//{id}", "", 7],
      "pattern.name": ["/users/{user id}", "{user id}", 7],
      "pattern.end": ["/files/*/edit", "*", 7],
      "pattern.twice": ["/{id}/{id}", "{id}", 6],
      "pattern.query": ["/search?q=a", "search?q=a", 1],
      "pattern.mixed": ["/files/{name}.txt", "{name}.txt", 7],
      "pattern.encoding": ["/100%", "100%", 1],
      "pattern.segment": ["/a/../b", "..", 3],
      "pattern.optional_end": ["/[[...lang]]/users", "[[...lang]]", 1],
      "pattern.optional": ["/[[lang]]", "[[lang]]", 1],
      "pattern.group": ["/(admin", "(admin", 1],
    },
  ],
})

const leftOut = entriesOf(leftOutMessages, {
  left_out: [
    "The program was bundled without a part of fw that it uses: `fw build --without` names the parts, or a package condition of another bundler.",
    { left_out: ["forms"] },
  ],
})

const registered = entriesOf(applicationMessages, {
  app: [
    "A function of fw was given another value than an app. Two installed copies of fw have two different classes `App`; `npm ls fw` shows them.",
    { app: ["serve()", undefined] },
  ],
  app_options: [
    "An option of `new App()` is unknown or has a value of the wrong type. `bodyLimit()` has the code too.",
    {
      app_options: ["bodyLimit", -1],
      "app_options.kind": ["cors()", "origins", "*"],
      "app_options.type": ["etag()", "weak", "boolean", "yes"],
      "app_options.unknown": ["cors()", "origin", ["origins", "methods", "credentials"]],
    },
  ],
  around: [
    "`app.fetch(request, { clientIP, env, waitUntil })` takes what the host knows about a request. Other names are the host's own and mean nothing to fw, but bindings belong in `env`. `app.request(path, init, { clientIP, env, waitUntil })` takes no other name.",
    {
      around: ["clientIP", "string", 7],
      "around.bindings": ["the third argument of app.request()", "REGION"],
      "around.context": [],
      "around.kind": ["eu"],
      "around.unknown": ["clientIp", "clientIP"],
    },
  ],
  conflict: [
    "Two routes have the same method and the same paths. The names of parameters make no difference: `/users/{id}` and `/users/{name}` are the same.",
    { conflict: ["GET /users/{id}", "app.get()", "app/users/[name]/route.ts"] },
  ],
  cors: ["", { "cors.origins": ["cors()"], "cors.origin": ["cors()", "https://shop.example/"] }],
  handler: [
    'A handler is a function that takes the context and returns a `Response`. A common cause is a call where the function itself is needed: `app.get("/", home())`.',
    { handler: ["app.get()", undefined] },
  ],
  health_options: [
    "An option of `app.health()` is unknown or not valid. `live` and `ready` are plain paths; `timeout`, `cache` and `drain` are seconds.",
    {
      "health_options.check": ["database", true],
      "health_options.checks": ["database"],
      "health_options.path": ["live", "/health/{name}"],
      "health_options.same": ["/health"],
      "health_options.seconds": ["drain", -1],
    },
  ],
  listen: ["An app listens on one address.", { listen: ["127.0.0.1:3000"] }],
  log_level: [
    "The environment variable `FW_LOG_LEVEL` sets the least level of the request log.",
    { log_level: ["verbose", ["debug", "info", "warn", "error", "off"]] },
  ],
  logger_config: [
    "An option of the request logger is unknown or not valid: in `new App({ logger })`, `app.setLogger()` or `logger()`.",
    {
      logger_config: ["format", '"text", "json" or "auto"'],
      "logger_config.kind": ["debug"],
      "logger_config.unknown": ["lvl", ["level", "format", "skip"]],
    },
  ],
  method: [
    "`app.registerRoute()` takes any method that is a token (RFC 9110 §5.6.2), in capital letters as clients send it.",
    { method: ["GET /"] },
  ],
  middleware: [
    "A middleware takes the next handler and returns a handler: `(next) => (c) => next(c)`. A file `middleware.ts` exports a function that returns a middleware.",
    {
      middleware: ["app.use()", undefined],
      "middleware.direct": ["app/middleware.ts"],
      "middleware.result": ["a middleware of app.use()", undefined],
    },
  ],
  mount: [
    "`app.mount()` registers what a scan found, or the routes that fw generated in `.fw/routes.ts`.",
    {
      "mount.export": ["app/api/users/route.ts", "Get", "object"],
      "mount.deferTimeout": ["app/search/page.tpl", 0],
      "mount.fragment": ["app/search/page.tpl", true],
      "mount.module": ["app/api/users/route.ts"],
      "mount.nothing": [],
      "mount.routes": [[]],
      "mount.title": ["app/page.tpl", "number"],
      "mount.twice": [],
    },
  ],
  platform: [
    "The runtime does not have what the call needs, such as a disk or a server of its own. Workers and executables are such runtimes.",
    {
      platform: ["disk to scan"],
      "platform.files": ["uploads"],
      "platform.save": [],
      "platform.save_place": ["uploads", "a directory"],
      "platform.scan": [],
    },
  ],
  proxy: ["An app has one proxy: from `proxy.ts`, or by `app.setProxy()`.", { proxy: ["app/proxy.ts"] }],
  proxy_config: [
    "The matchers of a proxy decide which requests it sees. A matcher that cannot be read is an error at start, so that a guard never silently lets requests pass.",
    {
      proxy_config: ["matchers", "/api/*"],
      "proxy_config.slash": ["api/*"],
      "proxy_config.pattern": ["/(api"],
    },
  ],
  rewrite: [
    "`proxy.rewrite()` answers the request with another path of the same app.",
    { rewrite: ["users/7"] },
  ],
  sealed: [
    "The app composes its routes and middleware once, before the first request. Later calls would have no effect.",
    { sealed: ["app.get() for GET /users"] },
  ],
  secrets: [
    "Signed cookies need the environment variable `FW_SECRETS`: one secret or several, separated by commas. The first signs, all verify. The message shows no secret.",
    { secrets: ["FW_SECRETS"], "secrets.short": ["FW_SECRETS", 2, 32] },
  ],
  shutdown: [
    "`app.shutdown()` takes an optional signal that ends the wait, and options in seconds. The environment variable `FW_DRAIN` is one of them; it is read when the app listens.",
    {
      shutdown: [30_000],
      "shutdown.seconds": ["timeout", -1],
      "shutdown.variable": ["5s"],
    },
  ],
  socket: [
    "`export function Socket(c)` and `app.socket()` return an object with the functions `open`, `message` and `close`, and options of the connection.",
    {
      "socket.heartbeat": [-1],
      "socket.payload": [0],
      "socket.payload_bun": [64 * 1024 * 1024, 16 * 1024 * 1024],
      "socket.protocols": [],
      "socket.result": [undefined],
    },
  ],
  static: [
    "`app.static(path, dir)` serves the files of a directory. It must exist when the app starts.",
    {
      "static.directory": ["/assets", undefined],
      "static.fallback": ["/", "../index.html"],
      "static.fallback_missing": ["/", "index.html"],
      "static.missing": ["public", "/assets"],
      "static.parameter": ["/{tenant}/assets"],
      "static.twice": ["/assets"],
    },
  ],
  test_client: [
    "`testClient()` of `fw/testing` sends requests to an app without a network.",
    { test_client: [undefined] },
  ],
  trusted_proxies: [
    "`trustedProxies` lists the addresses of your own proxies. Headers such as `X-Forwarded-For` count only from these.",
    { trusted_proxies: ["10.0.0.0/40", "bits4"] },
  ],
  use_late: [
    "Middleware wraps the routes that are registered after it.",
    { "use_late.app": [], "use_late.group": ["/admin"] },
  ],
})

const openapi: Entry = {
  code: "openapi_options",
  about: "An option of `app.openapi()` is unknown or has a value of the wrong type.",
  examples: [
    applicationMessages["app_options.unknown"]("app.openapi()", "titel", ["title", "version", "path"]),
  ],
}

const mcp = entriesOf(mcpMessages, {
  mcp_options: [
    "An option of `mcp()` of `fw/mcp` is unknown or has a value of the wrong kind.",
    { "mcp_options.list": ["hosts"], "mcp_options.limit": [0] },
  ],
})

export const application: readonly Entry[] = [...registered, ...patterns, ...leftOut, ...mcp, openapi]
