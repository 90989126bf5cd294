/**
 * One contender in a process of its own: `server.mjs <name> <folder> [routes] [program]`. Sends its port over IPC, its CPU time when asked,
 * and a profile between `cpu-profile` or `heap-profile` and `end-profile`.
 */
import { servers } from "./servers.mjs"

const [name, folder, routes, program] = process.argv.slice(2)
const { port } = await servers[name](folder, routes, program === "program")
/** The inspector, which only profiles need, and Bun and Deno lack in part. */
let session
let end

const commands = {
  cpu() {
    const { user, system } = process.cpuUsage()
    return { cpu: user + system, memory: process.memoryUsage().rss }
  },
  async "cpu-profile"() {
    await begin()
    await session.post("Profiler.enable")
    await session.post("Profiler.setSamplingInterval", { interval: 200 })
    await session.post("Profiler.start")
    end = async () => (await session.post("Profiler.stop")).profile
    return {}
  },
  async "heap-profile"() {
    await begin()
    // Also what was collected again: the question is what a request allocates, not what stays.
    const includeObjectsCollectedByMajorGC = true
    const includeObjectsCollectedByMinorGC = true
    await session.post("HeapProfiler.startSampling", {
      samplingInterval: 8192,
      includeObjectsCollectedByMajorGC,
      includeObjectsCollectedByMinorGC,
    })
    end = async () => (await session.post("HeapProfiler.stopSampling")).profile
    return {}
  },
  "end-profile": () => end(),
}

async function begin() {
  const { Session } = await import("node:inspector/promises")
  session = new Session()
  session.connect()
}

process.on("message", async (command) => process.send(await commands[command]()))
process.on("disconnect", () => process.exit(0))
process.send({ port })
