/** The engines under test, by name and address: in the test and in the programs that it kills. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { bullmqJobs } from "../../../adapters/jobs/bullmq.ts"
import { sqliteJobs } from "../../../adapters/jobs/sqlite.ts"
import type { JobEngine } from "../../../lib/jobs/engine.ts"
import { installTools } from "../tools.ts"

type Class = new (...given: unknown[]) => object

/** An engine, and what closes the connection that the program has made for it. */
export interface TestEngine {
  readonly engine: JobEngine
  disconnect(): void
}

/** Opens an engine. @param address the path of a file, or the port of a server. */
export async function createTestEngine(kind: string, address: string): Promise<TestEngine> {
  if (kind === "sqlite") return { engine: sqliteJobs({ file: address }), disconnect() {} }
  if (kind !== "bullmq") throw new TypeError(`there is no engine ${kind}`)
  const require = createRequire(join(await installTools(["bullmq@6.7.0", "ioredis@6.0.0"]), "index.js"))
  const { Queue, Worker } = require("bullmq") as { Queue: Class; Worker: Class }
  const { Redis } = require("ioredis") as { Redis: new (port: number, options: object) => RedisConnection }
  const connection = new Redis(Number(address), { host: "127.0.0.1", maxRetriesPerRequest: null })
  // A server that is away is reported by the calls.
  connection.on("error", () => {})
  return { engine: bullmqJobs({ Queue, Worker, connection }), disconnect: () => connection.disconnect() }
}

interface RedisConnection {
  on(event: "error", listener: () => void): void
  disconnect(): void
}
