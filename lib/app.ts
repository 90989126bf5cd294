/** The application class: its options, its routes, and its life from start to shutdown. */
import { createLog, createRequestLogger } from "#parts/logger"
import { platform } from "#platform"
import { setAssets } from "./assets.ts"
import { nameMiddleware } from "./chain.ts"
import { checkFunction, checkMiddleware } from "./checks.ts"
import { type AppOptions, type Config, type ResolvedAppOptions, resolveOptions } from "./config.ts"
import type { Context } from "./context.ts"
import { fault } from "./errors/fault.ts"
import type { Exchange } from "./exchange.ts"
import { RouteGroup } from "./group.ts"
import { readLogLevel } from "./log/log-level.ts"
import type { RequestLoggerConfig } from "./log/logger.ts"
import type { RequestLogger } from "./log/request-logger.ts"
import { addHealthRoutes, type HealthOptions } from "./mount/health-routes.ts"
import { mountTree } from "./mount/mount.ts"
import { mountHandler } from "./mount/mount-handler.ts"
import { createDocumentRoute, type OpenAPIOptions } from "./mount/openapi-route.ts"
import { createTestRequest } from "./mount/test-request.ts"
import { Pipeline, type ResponseOrPromise } from "./pipeline.ts"
import type { ListenTarget, ShutdownOptions } from "./platform.ts"
import { createProxySetup, type ProxyConfig, type ProxyFunc } from "./proxy.ts"
import { type Answering, type AppFetch, type Around, createTestAround, type FetchArguments } from "./request/around.ts"
import type { RouteTable } from "./router.ts"
import type { StaticHandler, StaticOptions } from "./static/serve-static.ts"
import { addStandardMount, StaticMounts } from "./static/static-mounts.ts"
import type { Routes, RouteTree } from "./tree.ts"
import type { HandlerFunc, HandlerResult, MiddlewareFunc, RequestHandler, Router } from "./types.ts"

/** Runs a request of an adapter. Not exported from the package. */
export let dispatch: (app: App, exchange: Exchange) => ResponseOrPromise

/**
 * Sends a test's request to an app, or to another object that has a `fetch`. `args` are the arguments of
 * `app.request()` after `init`. Not exported from the package.
 */
export let sendTestRequest: (
  app: Answering,
  target: string | URL,
  init: RequestInit | undefined,
  args: readonly unknown[],
) => ResponseOrPromise

/**
 * Returns the static files of an app. No directory can be added afterwards. Not exported from the package.
 *
 * @param others finds the files of other builds.
 */
export let getFiles: (app: App, others: StaticHandler) => StaticMounts

/** Returns the routes of an app. Not exported from the package. */
export let getRoutes: (app: App) => RouteTable

/**
 * A web application.
 *
 * @example
 * const app = new App()
 * app.get("/hello/{name}", (c) => c.json(200, { hello: c.param("name") }))
 * await app.listen(3000)
 */
export class App extends RouteGroup<""> {
  readonly #settings: ResolvedAppOptions
  readonly #pipeline: Pipeline
  #loggerConfig: RequestLoggerConfig = {}
  #files: StaticMounts | undefined
  #tree: RouteTree | undefined
  #document: string | undefined
  #isMounted = false
  #hasStarted = false
  readonly #lifecycle = platform.server?.(this)

  static {
    getRoutes = (app) => app.#pipeline.routes
    getFiles = (app, others) => {
      app.#files ??= new StaticMounts()
      app.#files.setOtherBuilds(others)
      return app.#start() as StaticMounts
    }
    dispatch = (app, exchange) => app.#dispatch(exchange)
    sendTestRequest = (app, target, init, args) => {
      const around = createTestAround(target, args)
      return app.fetch(createTestRequest(new URL(target, "http://localhost"), init), around)
    }
  }

  /**
   * Creates an application. @throws FwError for an unknown or invalid option, and for an invalid
   * `FW_LOG_LEVEL`.
   */
  constructor(options: AppOptions = {}) {
    const settings = resolveOptions(options)
    const { config, trustedRanges } = settings
    const pipeline = new Pipeline({
      limits: config,
      formPartLimit: config.formPartLimit,
      trustedRanges,
      createLog,
    })
    super(pipeline.routes, "", [])
    this.#settings = settings
    this.#pipeline = pipeline
    const { logger } = options
    if (typeof logger === "object") this.#loggerConfig = logger
    // The environment may set the level at which bugs are reported, so it is checked even if requests are not logged.
    if (logger === false) readLogLevel(platform.env.get)
    else pipeline.logger = this.#createLogger()
  }

  /** The configuration in force. @example app.config.appDir // → "app" */
  get config(): Config {
    return this.#settings.config
  }

  /** Mounts other handlers, as {@link mountHandler} does. @example app.router.mount("/admin", new App().fetch) */
  readonly router: Router = { mount: (prefix, handler) => this.mountHandler(prefix, handler) }

  /**
   * Hands every request at or below a prefix to another handler, such as another app's `fetch`. The handler sees the
   * canonical path without the prefix.
   *
   * @param handler is called with `(request, env, context)`, like a worker.
   * @throws FwError `pattern` for a prefix that is not valid, `handler` for what is not a function, `conflict` for a prefix
   *   that another handler has.
   * @example
   * const admin = new App()
   * admin.get("/users", (c) => c.string(200, "users"))
   * app.mountHandler("/admin", admin.fetch)
   * const answer = await app.request("/admin/users")
   * await answer.text() // → "users"
   */
  mountHandler(prefix: string, handler: RequestHandler): void {
    mountHandler(this.#pipeline.routes, prefix, handler)
  }

  /**
   * The scanned route tree; undefined before `scan()` or `mount(routes)`.
   *
   * @example const patterns = app.routeTree?.routes.map(({ pattern }) => pattern)
   */
  get routeTree(): RouteTree | undefined {
    return this.#tree
  }

  /**
   * The address that the app listens on, `host:port`; `""` while it does not listen.
   *
   * @example
   * await app.listen("127.0.0.1:0")
   * app.addr.startsWith("127.0.0.1:") // → true
   */
  get addr(): string {
    return this.#lifecycle?.addr ?? ""
  }

  /** True if there is a proxy. @example app.hasProxy // → false */
  get hasProxy(): boolean {
    return !!this.#pipeline.proxy
  }

  /**
   * Adds global middleware. It wraps everything that is added later, and also responses of the proxy, 404s and static
   * files. The first middleware is the outermost.
   *
   * @throws FwError `middleware` for a value that is not a function; `use_late` after `mount()` or the first request.
   * @example
   * app.use(secureHeaders())
   * const answer = await app.request("/")
   * answer.headers.get("X-Content-Type-Options") // → "nosniff"
   */
  override use(first: MiddlewareFunc, ...more: MiddlewareFunc[]): void {
    const middleware = [first, ...more]
    for (const one of middleware) checkMiddleware(one, "app.use()")
    if (this.#isMounted || this.#pipeline.isSealed) throw fault("use_late.app")
    nameMiddleware(middleware)
    this.#pipeline.middleware.push(...middleware)
    if (middleware.some(({ replacesLogger }) => replacesLogger)) this.disableLogger()
  }

  /**
   * Serves the files of a directory under a prefix. Never lists directories, and never serves dotfiles or a file
   * outside the directory.
   *
   * @example
   * app.static("/assets", "public")
   * app.static("/uploads", "data/uploads", { embed: false }) // written while the program runs
   *
   * @throws FwError `static` if the directory does not exist or another call has taken the prefix.
   */
  static(prefix: string, dir: string, options?: StaticOptions): void {
    this.#checkUnsealed("app.static()")
    this.#files ??= new StaticMounts()
    this.#files.add(prefix, dir, options)
  }

  /** Checks that the first request has not begun. @throws FwError `sealed` */
  #checkUnsealed(call: string): void {
    if (this.#pipeline.isSealed) throw fault("sealed", [call])
  }

  /**
   * Reads the route directory. The code of the routes does not run yet.
   *
   * @throws FwError for every conflict, and for every name that is probably a mistake, with its file.
   * @example
   * await app.scan()
   * await app.mount()
   */
  async scan(): Promise<RouteTree> {
    if (!platform.scan) throw fault("platform", ["disk to scan"])
    this.#tree = await platform.scan(this.#settings.config.appDir)
    return this.#tree
  }

  /**
   * Registers the scanned routes, or the routes that `fw` generated.
   *
   * @throws FwError if nothing was scanned, if a file lacks a required export, or if two routes have the same
   * method and pattern.
   * @example
   * // .fw/routes.ts, which fw writes, exports such routes.
   * const routes: Routes = {
   *   tree: { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] },
   *   modules: {},
   * }
   * await app.mount(routes)
   */
  async mount(routes?: Routes): Promise<void> {
    this.#checkUnsealed("app.mount()")
    if (this.#isMounted) throw fault("mount.twice")
    const { routes: mountedRoutes, errorPages, addScripts } = await mountTree(this, this.#pipeline.routes, routes)
    if (mountedRoutes.assets) {
      setAssets(mountedRoutes.assets)
      this.#files ??= new StaticMounts()
      this.#files.addAssets(mountedRoutes.assets)
    }
    this.#tree = mountedRoutes.tree
    this.#document = mountedRoutes.openapi
    this.#pipeline.errorPages = errorPages
    if (addScripts) this.#pipeline.settings.addScripts = addScripts
    this.#isMounted = true
    await this.#pipeline.proxy?.test
  }

  /**
   * Sets the function that runs before a route is looked for.
   *
   * @throws FwError `proxy_config` for an invalid configuration. If the check needs URLPattern and it must be loaded
   * first, `listen()` throws the error instead.
   * @example
   * const check: ProxyFunc = (c) =>
   *   c.cookie("session_id") === "" ? proxy.redirect("/login") : proxy.continue()
   * app.setProxy(check, { matchers: ["/account/*"] })
   * const answer = await app.request("/account/orders")
   * answer.headers.get("Location") // → "/login"
   */
  setProxy(proxy: ProxyFunc, config?: ProxyConfig): void {
    this.#checkUnsealed("app.setProxy()")
    checkFunction(proxy, "app.setProxy()")
    this.#pipeline.proxy = createProxySetup(proxy, config)
  }

  /**
   * Serves the application's OpenAPI document, which `fw dev` and `fw build` generate from its routes.
   *
   * @throws FwError for an unknown option, and for a path that is taken.
   * @example app.openapi({ path: "/openapi.json", title: "Shop", version: "2.1.0" })
   */
  openapi(options?: OpenAPIOptions | string): void {
    const { path, handler } = createDocumentRoute(options, () => this.#document)
    this.get(path, handler)
  }

  /**
   * Answers load balancers: one path says whether the program is running, another whether it is ready for requests.
   *
   * @throws FwError `health_options` for an option that is unknown or not valid, `conflict` for a path that is taken.
   * @example
   * app.health({ checks: { database: async () => { throw new Error("no connection") } } })
   * const answer = await app.request("/health/ready")
   * await answer.json() // → { status: "failed", checks: { database: "failed" } }
   */
  health(options?: HealthOptions): void {
    addHealthRoutes(this.#pipeline.routes, options, this.#lifecycle)
  }

  /**
   * Replaces the responses to errors: to every `HttpError`, and to bugs, which are reported before.
   *
   * @example
   * app.onError((c, error) => c.json(error instanceof HttpError ? error.status : 500, { ok: false }))
   * const answer = await app.request("/nothing")
   * await answer.json() // → { ok: false }
   */
  onError(answer: (c: Context, error: unknown) => HandlerResult): void {
    this.#checkUnsealed("app.onError()")
    checkFunction(answer, "app.onError()")
    this.#pipeline.onError = answer
  }

  /**
   * Replaces the response for a path without a route or file.
   *
   * @example
   * app.notFound((c) => c.html(404, "<h1>Nothing here</h1>"))
   * const answer = await app.request("/nothing")
   * await answer.text() // → "<h1>Nothing here</h1>"
   */
  notFound(handler: HandlerFunc): void {
    this.#checkUnsealed("app.notFound()")
    checkFunction(handler, "app.notFound()")
    this.#pipeline.notFound = handler
  }

  /**
   * Configures the request logger, and turns it on. @throws FwError that names the invalid field.
   *
   * @example app.setLogger({ level: "warn", showIP: true, skipPaths: ["/health"] })
   */
  setLogger(config: RequestLoggerConfig): void {
    this.#loggerConfig = config
    this.enableLogger()
  }

  /** Turns the request logger on, which is the default. @example app.enableLogger() */
  enableLogger(): void {
    this.#pipeline.logger = this.#createLogger()
  }

  #createLogger(): RequestLogger {
    const logger = createRequestLogger(this.#loggerConfig, platform.env)
    this.#pipeline.settings.logWriter = logger.writer
    return logger
  }

  /** Turns the request logger off. Bugs are reported all the same. @example app.disableLogger() */
  disableLogger(): void {
    this.#pipeline.logger = undefined
  }

  /**
   * Answers a request, in the same way on every runtime. The function is bound, so it can be passed on. `around` holds
   * what the host knows: the client's address, the bindings, and how to keep the program alive for background work.
   * Workers and Hono pass this as `(request, env, context)`.
   *
   * @throws FwError `around` for a value of the wrong type.
   * @example
   * const request = new Request("https://shop.example/nothing")
   * const answer = await app.fetch(request, { clientIP: "203.0.113.7", env: { REGION: "eu" } })
   * answer.status // → 404
   */
  readonly fetch: AppFetch = (request: Request, ...args: unknown[]) =>
    platform.fetch(this.#dispatch, request, args as unknown as FetchArguments)

  /**
   * Calls {@link fetch} with a path or URL, for tests. The client's address is `127.0.0.1`, unless `around` has
   * another. Rejects with a TypeError for a value that is neither a path nor a URL.
   *
   * @throws FwError `around` for bindings that are not in `env`, and for a fourth argument.
   * @example
   * app.post("/users", (c) => c.json(201, { region: c.env.REGION }))
   * const answer = await app.request("/users", { method: "POST" }, { env: { REGION: "eu" } })
   * await answer.json() // → { region: "eu" }
   */
  async request(path: string | URL, init?: RequestInit, ...args: readonly [around?: Around]): Promise<Response> {
    return sendTestRequest(this, path, init, args)
  }

  /** Answers a request. If the app cannot start, the answer is a 500 without details, and the reason is reported. */
  readonly #dispatch = (exchange: Exchange): ResponseOrPromise => {
    try {
      if (!this.#hasStarted) this.#start()
    } catch (error) {
      return this.#pipeline.refuse(exchange, error)
    }
    return this.#pipeline.run(exchange)
  }

  /**
   * Checks and prepares what needs all registrations: the chain, and the default static directory. After a failure,
   * every call throws the same error.
   */
  #start(): StaticMounts | undefined {
    const { isStaticExplicit, config } = this.#settings
    const files = addStandardMount(this.#files, config.staticDir, isStaticExplicit, this.#pipeline.routes)
    this.#pipeline.seal(files)
    this.#hasStarted = true
    return files
  }

  /**
   * Starts a server. Resolves when the server listens. Installs no signal handler.
   *
   * @param target a port, an address (`:3000`, `127.0.0.1:3000`, `[::1]:3000`), or `{ port, host, tls }`. Port 0 picks
   * a free port. Without a host, the server listens on every interface. Default: the environment variable `PORT`,
   * otherwise 3000.
   * @throws FwError `address` for an address that is not valid; `port_in_use`, `port_denied` or `host` for an address
   * on which the server cannot listen; `listen` for an app that is already listening; `secrets` for a secret in
   * `FW_SECRETS` that can be guessed.
   * @example
   * await app.listen({ port: 3000, host: "127.0.0.1" })
   */
  async listen(target?: ListenTarget): Promise<void> {
    if (!this.#lifecycle) throw fault("platform", ["server"])
    return this.#lifecycle.listen(target, async () => {
      await this.#pipeline.proxy?.test
      if (!this.#hasStarted) this.#start()
    })
  }

  /**
   * Stops gracefully: answers 503 at the readiness path of {@link health}, waits until load balancers have noticed,
   * accepts no new connections, lets running requests finish, and closes idle connections after a second.
   *
   * @param signal ends the waiting, for example `AbortSignal.timeout(30_000)`.
   * @param options `drain` and `timeout`, in seconds.
   * @throws the signal's reason if it aborts first, and a TimeoutError after `timeout`; in both cases everything is
   * closed. FwError `shutdown` for an argument that is not valid.
   * @example
   * await app.listen(3000)
   * process.once("SIGTERM", () => app.shutdown(undefined, { timeout: 30 }))
   */
  async shutdown(signal?: AbortSignal, options?: ShutdownOptions): Promise<void> {
    await this.#lifecycle?.shutdown(signal, options)
  }

  /**
   * Registers a function that closes what the program opened, such as connections to a database. {@link shutdown} calls
   * it after the last request and after the promises of `c.waitUntil()`, and waits for it. So do the server of
   * `serve()` and the programs that `fw build` makes. The function that was registered last is called first. Workers
   * are never stopped, so they never call it.
   *
   * @param close the function. If the time for running requests is over, it is called but not waited for. If it throws,
   * the others are still called, and `shutdown()` throws an FwError `on_shutdown` with its error as the cause.
   * @throws FwError `on_shutdown` for anything but a function.
   * @example
   * const timer = setInterval(() => console.log("still here"), 60_000)
   * app.onShutdown(() => clearInterval(timer))
   * await app.shutdown()
   */
  onShutdown(close: () => unknown): void {
    this.#lifecycle?.onShutdown(close)
  }
}

/**
 * Checks an argument. @throws FwError `app` for a value that is not an app of this copy of fw. Not exported
 * from the package.
 */
export function checkApp(app: unknown, call: string): void {
  if (!(app instanceof App)) throw fault("app", [call, app])
}
