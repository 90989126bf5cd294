/**
 * Compares jobs of fw with their engines used alone: pg-boss and BullMQ, on servers of this machine. The embedded engine is
 * measured without a comparison.
 *
 *   node --conditions=fw-source bench/jobs.mjs             needs Node 24, redis-server and the programs of PostgreSQL
 *   node --conditions=fw-source bench/jobs.mjs pgboss      only engines with this text in their names
 *   JOBS=2000 ROUNDS=1 node --conditions=fw-source bench/jobs.mjs      a shorter run; 10,000 and 3 without it
 *
 * In a round, one process adds all jobs, ten calls at the same time, and then runs them, ten at the same time, each of which
 * does nothing. Both sides take turns. A figure is the median of the rounds, in jobs per second, and a ratio the median of
 * those of the rounds.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { machineClock } from "../lib/jobs/clock.ts"
import { createTestEngine, loadBullmq } from "../tests/support/jobs/engines.ts"
import { createJob, startProcess } from "../tests/support/jobs/workshop.ts"
import { startPostgres } from "../tests/support/store/postgres.ts"
import { startRedis } from "../tests/support/store/server.ts"

const [count, rounds] = [Number(process.env.JOBS ?? 10_000), Number(process.env.ROUNDS ?? 3)]
const [nameFilter = ""] = process.argv.slice(2)
const concurrency = 10
const directory = mkdtempSync(join(tmpdir(), "fw-bench-"))
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))

/** Returns the jobs per second of some work. */
async function measure(work) {
  const start = performance.now()
  await work()
  return count / ((performance.now() - start) / 1000)
}

/** Measures a round. @param side opens a queue: `add(i)`, `run(onJob)`, which starts to run jobs, and `close()`. */
async function measureRound(side, name) {
  const { add, run, close } = await side(name)
  let next = 0
  const adder = async () => {
    while (next < count) await add(next++)
  }
  const adds = await measure(() => Promise.all(Array.from({ length: concurrency }, adder)))
  const runs = await measure(async () => {
    let [left, end] = [count, () => {}]
    const ended = new Promise((resolve) => {
      end = resolve
    })
    await run(async () => {
      left -= 1
      if (left === 0) end()
    })
    await ended
  })
  await close()
  return { adds, runs }
}

/** A side with an engine of fw. */
const createFwSide = (kind, portOrFile) => async (name) => {
  const { engine, disconnect } = await createTestEngine(kind, portOrFile)
  let work = async () => {}
  const { runner } = await startProcess({ [name]: { Job: () => work() } }, engine, machineClock, concurrency, 15_000)
  return {
    add: (i) => engine.add(createJob(name, { payload: `{"i":${i}}` })),
    run(onJob) {
      work = onJob
      runner.start()
    },
    async close() {
      await runner.stop(5_000)
      await engine.close()
      await disconnect()
    },
  }
}

/** A side with pg-boss, which completes the jobs of a batch with one statement. */
const createPgBossSide = (port) => async (name) => {
  const { PgBoss } = await import("pg-boss")
  const boss = new PgBoss(`postgres://postgres@127.0.0.1:${port}/postgres`)
  boss.on("error", () => {})
  await boss.start()
  await boss.createQueue(name)
  const options = { batchSize: concurrency, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }
  return {
    add: (i) => boss.send(name, { i }),
    run: (onJob) => boss.work(name, options, (jobs) => Promise.all(jobs.map(onJob))),
    close: () => boss.stop(),
  }
}

/** A side with BullMQ. */
const createBullmqSide = (port) => async (name) => {
  const { Queue, Worker, connect } = await loadBullmq()
  const connection = connect(port)
  const queue = new Queue(name, { connection, prefix: "bare" })
  let worker
  return {
    add: (i) => queue.add(name, { i }, { removeOnComplete: true }),
    run(onJob) {
      worker = new Worker(name, onJob, { connection, prefix: "bare", concurrency })
    },
    async close() {
      await worker.close()
      await queue.close()
      connection.disconnect()
    },
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
const format = (number) => Math.round(number).toLocaleString("en").padStart(7)

async function compare(kind, start, address, bare) {
  if (!kind.includes(nameFilter)) return
  const server = await start?.()
  const results = []
  for (let round = 0; round < rounds; round++) {
    const own = () => measureRound(createFwSide(kind, address(server, round)), `fw-${round}`)
    const other = () => bare && measureRound(bare(server.port), `bare-${round}`)
    const first = round % 2 ? await own() : await other()
    const second = round % 2 ? await other() : await own()
    results.push(round % 2 ? [second, first] : [first, second])
  }
  for (const [key, label] of [
    ["adds", "added"],
    ["runs", "run"],
  ]) {
    const figure = `fw ${format(median(results.map(([, own]) => own[key])))}/s`
    const ratio = () => median(results.map(([other, own]) => own[key] / other[key])).toFixed(2)
    const comparison = bare ? `bare ${format(median(results.map(([other]) => other[key])))}/s  ratio ${ratio()}` : ""
    console.log(`${kind.padEnd(7)} ${label.padEnd(6)} ${figure}  ${comparison}`)
  }
  await server?.end()
}

const getPort = (server) => String(server.port)
await compare("sqlite", undefined, (_, round) => join(directory, `${round}.db`))
await compare("bullmq", startRedis, getPort, createBullmqSide)
await compare("pgboss", startPostgres, getPort, createPgBossSide)
