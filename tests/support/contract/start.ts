/** Starts what serves the contract cases on a runtime. Called by the tests in `tests/runtimes/`. */
import { join } from "node:path"
import { commandOf, type Runtime, start } from "../runtimes.ts"
import { root } from "../tsc.ts"
import { bundleWorker, startWorker } from "../workerd.ts"
import type { Served } from "./drive.ts"

const compiled = join(root, "dist", "tests", "support", "contract")

/** The program on a runtime, with one of its adapters; every case has a port of its own. */
export async function startProgram(runtime: Runtime, adapter: string): Promise<Served> {
  const running = start([...commandOf(runtime), join(compiled, "program.js"), adapter])
  const ports: number[] = JSON.parse(await running.line())
  return { server: (index) => ({ port: ports[index] as number }), stop: () => running.stop() }
}

/** The worker under workerd; a header tells the case. */
export async function startContractWorker(): Promise<Served> {
  const code = await bundleWorker(join(compiled, "worker.js"))
  const running = await startWorker({ code, assets: join(root, "tests", "fixtures", "contract") })
  return {
    server: (index) => ({ port: running.port, extra: `x-case: ${index}\r\n` }),
    stop: () => running.stop(),
  }
}
