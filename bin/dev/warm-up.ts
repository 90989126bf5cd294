/** Warms up a server process: serves a small program once, so that V8 has compiled fw's code when the real program runs. */
import { request } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { clientHeader, putBehind } from "../../adapters/node/dev-parent.ts"
import type { App as AppType } from "../../lib/app.ts"
import type { Context } from "../../lib/context.ts"
import {
  emptyTree,
  handlerExports,
  moduleFile,
  type Routes,
  type RouteTree,
  type TreePage,
  type TreeRoute,
  treeFiles,
} from "../../lib/tree.ts"
import { removeSocket } from "./socket-file.ts"

/** Numbers of routes, pages and requests of the small program. V8 compiles code that runs, and optimises code that runs often. */
const size = 50
const requests = 5
/**
 * Apps as programs make them. The routes are mounted for each of these: V8 optimises what runs often in other
 * threads, and without these it would do so when the real routes are mounted. With 500 templates that took 40 ms of processor time
 * while the program started. The objects of each app have other fields. With the fifth kind V8 makes code for any, and
 * does not give it up for the real program.
 */
const kinds: readonly ((App: typeof AppType) => AppType)[] = [
  (App) => new App({ logger: { write: () => {} } }),
  (App) => new App({ logger: false }),
  (App) => configured(new App({ logger: false }), "onError"),
  (App) => configured(new App({ logger: false }), "notFound"),
  (App) => configured(new App({ logger: { write: () => {} } }), "onError", "notFound"),
]

function configured(app: AppType, ...calls: readonly ("onError" | "notFound")[]): AppType {
  for (const call of calls) app[call]((c: Context) => c.noContent())
  return app
}

/** Options of a warm-up. */
export interface WarmUpOptions {
  /** The socket of the small program. */
  readonly socket: string
  /** The routes of the last program. The small one has as many, so that mounting the real ones is compiled too. */
  readonly tree: RouteTree | undefined
  /** The exports of its modules that ran before it. */
  readonly modules: ReadonlyMap<string, unknown>
  /** Returns true if the real program has arrived; the rest is skipped then. */
  readonly isWanted: () => boolean
}

/** Mounts, listens, answers and stops like a program, on a socket of its own. */
export async function warmUp(
  App: typeof AppType,
  { socket, tree, modules, isWanted }: WarmUpOptions,
): Promise<void> {
  if (isWanted()) return
  const makeApp = async (kind: (typeof kinds)[number]) => {
    const app = kind(App)
    await app.mount(standIn(tree, modules))
    return app
  }
  for (const kind of kinds.slice(1)) {
    if (isWanted()) break
    await makeApp(kind)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const app = await makeApp(kinds[0] as (typeof kinds)[number])
  putBehind({ app, socket, addr: "localhost:0" })
  await app.listen()
  for (let i = 0; i < requests && !isWanted(); i++) await ask(socket, `/warm-up/${i}/part?query=1`)
  // The real program does not wait until the connections are closed.
  void app.shutdown().finally(() => removeSocket(socket))
}

/**
 * Removes the garbage of the warm-up. V8 has collected none before, so it would do it when the program starts, which takes several
 * milliseconds. Only the function of this flag collects once: what a debugger asks for also removes compiled code.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("globalThis.gc")
  setFlagsFromString("--no-expose-gc")
  if (typeof collect === "function") collect()
}

/**
 * Returns routes, and those of a tree. Their handlers are never called. Those of modules that ran are the real ones, because V8
 * optimises a mount for the objects that it gets. A mount calls the function of a middleware file, so that one is never real.
 */
function standIn(tree: RouteTree = emptyTree("app"), ran: ReadonlyMap<string, unknown>): Routes {
  const Get = (c: Context) => c.json(200, { part: c.param("part"), query: c.query("query") })
  const handlers = Object.fromEntries(Object.keys(handlerExports).map((name) => [name, Get]))
  const module = { ...handlers, Page: Get, Layout: Get, Middleware: () => [], title: "Warm-up" }
  const numbers = Array.from({ length: size }, (_, i) => i)
  const routes = numbers.map((i): TreeRoute => {
    const file = `app/warm-up/${i}/[part]/route.ts`
    return { method: "GET", pattern: `/warm-up/${i}/{part}`, file, export: "Get", line: 1, middleware: [] }
  })
  const pages = numbers.map((i): TreePage => {
    const file = `app/pages/${i}/[part]/page.tpl`
    return { pattern: `/pages/${i}/{part}`, file, title: "Warm-up", middleware: [] }
  })
  const { appDir, middleware, layouts } = tree
  const all = {
    appDir,
    middleware,
    layouts,
    routes: [...routes, ...tree.routes],
    pages: [...pages, ...tree.pages],
  }
  const called = new Set(middleware.map(({ file }) => file))
  const exportsOf = (file: string) =>
    (called.has(file) ? module : (ran.get(moduleFile(file)) ?? module)) as typeof module
  return { tree: all, modules: Object.fromEntries(treeFiles(all).map((file) => [file, exportsOf(file)])) }
}

function ask(socketPath: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { [clientHeader]: "127.0.0.1", connection: "close" }
    const outgoing = request({ socketPath, path, headers, agent: false }, (answer) => {
      answer.resume().once("end", resolve)
    })
    outgoing.once("error", reject).end()
  })
}
