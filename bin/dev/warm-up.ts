/** Serves a stand-in program once, so that the real one finds the code that it runs compiled. Called by `dev-child.ts` while nobody waits. */
import { request } from "node:http"
import { clientHeader, putBehind } from "../../adapters/node/dev-parent.ts"
import type { App as AppType } from "../../lib/app.ts"
import type { Context } from "../../lib/context.ts"
import type { Routes, TreePage, TreeRoute } from "../../lib/tree.ts"
import { removeSocket } from "./socket-file.ts"

/** How many routes and pages the stand-in has, and how many requests it answers: V8 compiles what runs, and optimises what runs often. */
const size = 50
const requests = 5

/**
 * Mounts, listens, answers and stops as a program does, on a socket that nobody else knows.
 *
 * @param isWanted whether the real program has come: then the rest is left out.
 */
export async function rehearse(App: typeof AppType, socket: string, isWanted: () => boolean): Promise<void> {
  const app = new App({ logger: { write: () => {} } })
  await app.mount(standIn())
  putBehind({ app, socket, addr: "localhost:0" })
  await app.listen()
  for (let i = 0; i < requests && !isWanted(); i++) await ask(socket, `/rehearsal/${i}/part?query=1`)
  // Its connections close by and by; the real program does not wait for that.
  void app.shutdown().finally(() => removeSocket(socket))
}

function standIn(): Routes {
  const Get = (c: Context) => c.json(200, { part: c.param("part"), query: c.query("query") })
  const module = { Get, Page: Get, title: "Rehearsal" }
  const numbers = Array.from({ length: size }, (_, i) => i)
  const routes = numbers.map((i): TreeRoute => {
    const file = `app/rehearsal/${i}/[part]/route.ts`
    return { method: "GET", pattern: `/rehearsal/${i}/{part}`, file, export: "Get", line: 1, middleware: [] }
  })
  const pages = numbers.map((i): TreePage => {
    const file = `app/pages/${i}/[part]/page.tpl`
    return { pattern: `/pages/${i}/{part}`, file, title: "Rehearsal", middleware: [] }
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
