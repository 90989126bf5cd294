/** Warms up a server process: serves a small program once, so that V8 has compiled fw's code when the real program runs. */
import { request } from "node:http"
import { clientHeader, putBehind } from "../../adapters/node/dev-parent.ts"
import type { App as AppType } from "../../lib/app.ts"
import type { Context } from "../../lib/context.ts"
import type { Routes, TreePage, TreeRoute } from "../../lib/tree.ts"
import { removeSocket } from "./socket-file.ts"

/** Numbers of routes, pages and requests of the small program. V8 compiles code that runs, and optimises code that runs often. */
const size = 50
const requests = 5

/**
 * Mounts, listens, answers and stops like a program, on a socket of its own.
 *
 * @param isWanted returns true if the real program has arrived; the rest is skipped then.
 */
export async function warmUp(App: typeof AppType, socket: string, isWanted: () => boolean): Promise<void> {
  const app = new App({ logger: { write: () => {} } })
  await app.mount(standIn())
  putBehind({ app, socket, addr: "localhost:0" })
  await app.listen()
  for (let i = 0; i < requests && !isWanted(); i++) await ask(socket, `/warm-up/${i}/part?query=1`)
  // The real program does not wait until the connections are closed.
  void app.shutdown().finally(() => removeSocket(socket))
}

function standIn(): Routes {
  const Get = (c: Context) => c.json(200, { part: c.param("part"), query: c.query("query") })
  const module = { Get, Page: Get, title: "Warm-up" }
  const numbers = Array.from({ length: size }, (_, i) => i)
  const routes = numbers.map((i): TreeRoute => {
    const file = `app/warm-up/${i}/[part]/route.ts`
    return { method: "GET", pattern: `/warm-up/${i}/{part}`, file, export: "Get", line: 1, middleware: [] }
  })
  const pages = numbers.map((i): TreePage => {
    const file = `app/pages/${i}/[part]/page.tpl`
    return { pattern: `/pages/${i}/{part}`, file, title: "Warm-up", middleware: [] }
  })
  const files = [...routes, ...pages].map(({ file }) => [file, module])
  const tree = { appDir: "app", routes, pages, middleware: [], layouts: [] }
  return { tree, modules: Object.fromEntries(files) }
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
