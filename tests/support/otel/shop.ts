/** A program with telemetry for each runtime: it calls another program, and writes a line. */
import { fetch, telemetry } from "../../../adapters/otel.ts"
import { App } from "../../../lib/index.ts"

/** Creates the app. @param next the address of the other program. */
export function createShop(next: string): App {
  const app = new App()
  telemetry(app, { propagateTo: [new URL(next).host] })
  app.get("/orders/{id}", async (c) => {
    c.log.warn("asked for prices", { order: c.param("id") })
    const prices = await c.span("ask for prices", async () => {
      const answer = await fetch(`${next}/prices?token=s3cret`, {
        method: "POST",
        headers: { "x-own": "kept" },
        body: "7",
      })
      return answer.text()
    })
    return c.string(200, prices)
  })
  return app
}
