/** Serves a stand-in program once, so that the real one finds the code that it runs compiled. Called by `dev-child.ts` while nobody waits. */
import { rmSync } from "node:fs"
import { request } from "node:http"
import { clientHeader, putBehind } from "../../adapters/node-behind.ts"
import type { App as AppType } from "../../lib/app.ts"
import type { Context } from "../../lib/context.ts"
import type { Routes, RouteTree } from "../../lib/tree.ts"

/** How many routes the stand-in has, and how many requests it answers: V8 compiles what runs, and optimises what runs often. */
const routes = 60
const requests = 5

/** Mounts, listens, answers and stops as a program does, on a socket that nobody else knows. */
export async function rehearse(App: typeof AppType, socket: string): Promise<void> {
  const app = new App({ logger: { write: () => {} } })
  await app.mount(standIn())
  putBehind({ app, socket, addr: "localhost:0" })
  await app.listen()
  for (let i = 0; i < requests; i++) await ask(socket, `/rehearsal/${i}/part?query=1`)
  // Its connections close by and by; the real program does not wait for that.
  void app.shutdown().finally(() => process.platform === "win32" || rmSync(socket, { force: true }))
}

function standIn(): Routes {
  const module = { Get: (c: Context) => c.json(200, { part: c.param("part"), query: c.query("query") }) }
  const files = Array.from({ length: routes }, (_, i) => `app/rehearsal/${i}/[part]/route.ts`)
  const tree: RouteTree = {
    appDir: "app",
    routes: files.map((file, i) => {
      const pattern = `/rehearsal/${i}/{part}`
      return { method: "GET", pattern, file, export: "Get", line: 1, middleware: [] }
    }),
    middleware: [],
    pages: [],
    layouts: [],
  }
  return { tree, modules: Object.fromEntries(files.map((file) => [file, module])) }
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
