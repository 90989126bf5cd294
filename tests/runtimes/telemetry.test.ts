/** Telemetry on Bun, Deno and a worker: spans, lines and metrics arrive, and a named host continues the trace. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { bundleProgram } from "../support/adapters/published.ts"
import { getCommand, type Runtime, start } from "../support/adapters/runtimes.ts"
import { bundleWorker, startWorker } from "../support/adapters/workerd.ts"
import { startCollector } from "../support/otel/collector.ts"
import { until } from "../support/store/until.ts"
import { root } from "../support/tsc.ts"

const asked: { readonly headers: IncomingMessage["headers"]; readonly method: string; readonly body: string }[] = []
const next = createServer(async (incoming, outgoing) => {
  let body = ""
  for await (const piece of incoming) body += piece
  asked.push({ headers: incoming.headers, method: incoming.method ?? "", body })
  outgoing.end("10 EUR")
})
await new Promise<void>((resolve) => void next.listen(0, "127.0.0.1", resolve))
const NEXT = `http://127.0.0.1:${(next.address() as AddressInfo).port}`
test.after(() => void next.close())

const program = await bundleProgram("tests/support/otel/shop-program.ts")

/** Starts the shop on a runtime. Returns its address, and a function that ends it. */
async function startShop(runtime: Runtime, variables: Record<string, string>) {
  if (runtime !== "workerd") {
    const running = start([...getCommand(runtime), program], { env: { ...process.env, ...variables } })
    return { addr: await running.line(), stop: () => running.stop("SIGTERM") }
  }
  const code = await bundleWorker(join(root, "tests/support/otel/shop-worker.ts"))
  const flags = ["enable_request_signal", "nodejs_compat"]
  const { port, stop } = await startWorker({ code, vars: variables, flags, reachesMachine: true })
  return { addr: `127.0.0.1:${port}`, stop }
}

for (const runtime of ["node", "bun", "deno", "workerd"] as const) {
  test(`on ${runtime} a request is traced, and the request that it sends to a named host continues the trace`, async () => {
    asked.length = 0
    const collector = await startCollector()
    const shop = await startShop(runtime, {
      NEXT,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: "shop",
    })
    const answer = await fetch(`http://${shop.addr}/orders/7`)
    assert.equal([answer.status, await answer.text()], [200, "10 EUR"])
    // A worker sends telemetry with each request, and the other runtimes send it when they end.
    if (runtime !== "workerd") await shop.stop()
    await until(() => collector.spans().length === 3 && collector.lines().length > 0)
    if (runtime === "workerd") await shop.stop()
    const spans = collector.spans()
    const [server, span, client] = ["GET /orders/{id}", "ask for prices", "POST"].map((name) =>
      spans.find((one) => one.name === name),
    )
    assert.equal([server?.kind, span?.kind, client?.kind], [2, 1, 3])
    assert.equal(
      [server?.parentSpanId, span?.parentSpanId, client?.parentSpanId],
      [undefined, server?.spanId, span?.spanId],
    )
    assert.is(client?.values["url.full"], `${NEXT}/prices?token=REDACTED`)
    assert.is(client?.values["http.response.status_code"], 200)
    const [{ headers, method, body } = { headers: {}, method: "", body: "" }] = asked
    assert.equal([asked.length, method, body, headers["x-own"]], [1, "POST", "7", "kept"])
    assert.is(headers.traceparent, `00-${client?.traceId}-${client?.spanId}-01`)
    const line = collector.lines().find(({ body }) => body.stringValue === "asked for prices")
    assert.equal([line?.traceId, line?.values.order], [server?.traceId, "7"])
    const metrics = collector.metrics().map(({ name }) => name)
    assert.is(metrics.includes("http.server.request.duration"), runtime !== "workerd", metrics.join())
    await collector.close()
  })
}

test.run()
