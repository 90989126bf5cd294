/** Test files that need a newer Node than the one that runs the tests. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { installNode } from "./bin/new/packed.ts"

/** Runs the test file that calls it with Node 24, and ends with its result. With Node 24 or later it does nothing. */
export async function continueOnNode24(): Promise<void> {
  if (Number(process.versions.node.split(".")[0]) >= 24) return
  const node = join(await installNode("24"), "node")
  const child = spawn(node, ["--conditions=fw-source", ...process.argv.slice(1)], { stdio: "inherit" })
  const [code] = await once(child, "exit")
  process.exit(code ?? 1)
}
