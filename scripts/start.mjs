/** `npm start`: prepares the clone, and runs `fw dev` in the example application. */
import { join } from "node:path"
import { isMain, root, runScript } from "./common.mjs"
import { setup } from "./setup.mjs"

/** Runs `fw dev` in this process, so that signals, the terminal and the exit code need not be passed on. */
async function start() {
  await setup()
  const command = join(root, "dist", "bin", "fw.js")
  process.chdir(join(root, "examples", "tasks"))
  process.argv.splice(1, 1, command, "dev")
  await import(command)
}

if (isMain(import.meta.url)) await runScript(start)
