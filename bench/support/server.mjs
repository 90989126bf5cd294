/**
 * Runs one contender in a process of its own: `server.mjs <name> <folder> [routes] [program]`. It sends its port over
 * IPC, and its processor time whenever it is asked for. Between the messages `cpu-profile` or `heap-profile` and
 * `end-profile` it takes a profile.
 */
import { servers } from "./servers.mjs"

const [name, folder, routes, program] = process.argv.slice(2)
const { port } = await servers[name](folder, routes, program === "program")
/** The inspector. It is loaded only for a profile, because Bun and Deno lack parts of it. */
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
    // Includes objects that were collected again, because a profile shows what a request allocates, not what stays.
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
