/**
 * Tests of telemetry whose collector is down, slow or refuses: the queue is bounded, lost items are counted, and
 * the log says so once.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { Exporter } from "../../../adapters/otel/exporter.ts"
import type { LogRecord } from "../../../lib/index.ts"
import { setProcessWriter } from "../../../lib/log/process-log.ts"
import { findFreePort } from "../../support/free-port.ts"
import { startCollector } from "../../support/otel/collector.ts"

/** The lines of the log. */
const lines: LogRecord[] = []
setProcessWriter({ minRank: 0, secretNames: [], now: Date.now, write: (record) => void lines.push(record) }, true)
test.before.each(() => {
  lines.length = 0
})

function createExporter(url: string, timeoutMs = 1000) {
  const sizes: number[] = []
  const exporter = new Exporter<number>({
    itemName: "spans",
    target: { url, headers: {}, timeoutMs, runUntraced: (run) => run() },
    encode(items) {
      sizes.push(items.length)
      return { items }
    },
    isPerRequest: false,
  })
  return { exporter, sizes }
}

const add = (exporter: Exporter<number>, count: number) => {
  for (let i = 0; i < count; i++) exporter.add(i)
}

test("telemetry is sent in batches of 512", async () => {
  const collector = await startCollector()
  const { exporter, sizes } = createExporter(collector.url)
  add(exporter, 1100)
  await exporter.flush()
  assert.equal(sizes, [512, 512, 76])
  assert.equal(
    collector.bodies.flatMap(({ data }) => data.items),
    Array.from({ length: 1100 }, (_, index) => index),
  )
  assert.equal(lines, [])
  await collector.close()
})

for (const status of [429, 502, 503, 504]) {
  test(`a collector that answers ${status} gets the batch again`, async () => {
    const collector = await startCollector((count) =>
      count < 3 ? { status, headers: { "retry-after": "0.01" } } : { status: 200 },
    )
    const { exporter } = createExporter(collector.url)
    add(exporter, 3)
    await exporter.flush()
    assert.is(collector.count, 3)
    assert.equal(collector.bodies[0]?.data, { items: [0, 1, 2] })
    assert.equal(lines, [])
    await collector.close()
  })
}

test("a batch that the collector refuses is not repeated, and its loss is logged once, with its size when the collector accepts again", async () => {
  const collector = await startCollector(() => ({ status: 400 }))
  const { exporter } = createExporter(collector.url)
  for (let round = 0; round < 3; round++) {
    add(exporter, 10)
    await exporter.flush()
  }
  assert.is(collector.count, 3)
  assert.equal(
    lines.map(({ level, message }) => [level, message]),
    [["warn", "telemetry: spans are lost, because the collector answered 400. A later line says how many"]],
  )
  collector.state.respond = () => ({ status: 200 })
  add(exporter, 1)
  await exporter.flush()
  assert.equal(
    lines.slice(1).map(({ message, lost }) => [message, lost]),
    [["telemetry: spans arrive again", 30]],
  )
  await collector.close()
})

test("if the collector is down, the end of the program does not wait for another attempt", async () => {
  const { exporter } = createExporter(`http://127.0.0.1:${await findFreePort()}`)
  add(exporter, 5)
  await exporter.flush(true)
  assert.is(lines.length, 1)
  assert.match(String(lines[0]?.message), /could not be reached \(ECONNREFUSED\)/)
})

test("if the collector never answers, at most 2,048 items wait, and lost items are counted", async () => {
  const collector = await startCollector(() => "never")
  const { exporter, sizes } = createExporter(collector.url, 250)
  add(exporter, 5000)
  assert.is(lines.length, 1)
  await exporter.flush(true)
  assert.equal(sizes, [512, 512, 512, 512])
  collector.state.respond = () => ({ status: 200 })
  add(exporter, 1)
  await exporter.flush(true)
  assert.equal(
    lines.slice(1).map(({ lost }) => lost),
    [5000],
  )
  await collector.close()
})

test("on a worker, waiting telemetry is sent once, with the request", async () => {
  const collector = await startCollector((count) => ({ status: count === 1 ? 503 : 200 }))
  const exporter = new Exporter<number>({
    itemName: "spans",
    target: { url: collector.url, headers: {}, timeoutMs: 1000, runUntraced: (run) => run() },
    encode: (items) => ({ items }),
    isPerRequest: true,
  })
  for (const item of [1, 2]) {
    exporter.add(item)
    await exporter.sendOnce()
  }
  assert.equal(
    collector.bodies.map(({ data }) => data),
    [{ items: [2] }],
  )
  assert.is(lines.at(-1)?.lost, 1)
  await collector.close()
})

test.run()
