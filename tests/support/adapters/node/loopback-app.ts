/** Starts a local app for tests, which decide how its path `/now` answers. */
import { App, type Context } from "../../../../lib/index.ts"
import { Wire, watchProcess } from "./wire.ts"

/** The running app, with functions for the tests of one file. */
export interface LoopbackApp {
  readonly app: App
  /** Events that must not occur in a server process, but did. */
  readonly seen: readonly string[]
  /** Answers `/now`. The path `/next` answers `next`. */
  now: (c: Context) => Response | Promise<Response>
  /** Opens a connection and sends a text. */
  open(text: string): Promise<Wire>
}

/** Starts the app. It logs nothing, not even the errors that tests cause. */
export async function startLoopbackApp(): Promise<LoopbackApp> {
  process.env.FW_LOG_LEVEL = "off"
  const app = new App({ logger: false })
  const loopback: LoopbackApp = {
    app,
    seen: watchProcess(),
    now: () => new Response(),
    async open(text) {
      const wire = await Wire.open(app.addr)
      wire.send(text)
      return wire
    },
  }
  app.registerRoute("GET", "/now", (c) => loopback.now(c))
  app.registerRoute("POST", "/now", (c) => loopback.now(c))
  app.get("/next", (c) => c.string(200, "next"))
  await app.listen("127.0.0.1:0")
  return loopback
}
