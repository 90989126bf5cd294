/** One contender in a process of its own: `server.mjs <name> <folder>`. Sends its port and, when asked, its CPU time over IPC. */
import { servers } from "./servers.mjs"

const [name, folder] = process.argv.slice(2)
const { port } = await servers[name](folder)
process.on("message", () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system, memory: process.memoryUsage().rss })
})
process.on("disconnect", () => process.exit(0))
process.send({ port })
