/** Starts the programs that serve the contract cases on each runtime. */
import { cpSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { bundleProgram } from "../adapters/published.ts"
import { getCommand, type Running, type Runtime, start } from "../adapters/runtimes.ts"
import { bundleWorker, startWorker } from "../adapters/workerd.ts"
import { build } from "../bin/build/executables.ts"
import { project } from "../bin/cli/command.ts"
import { root } from "../tsc.ts"
import type { Served } from "./drive.ts"
import { staticDirectory } from "./files.ts"

/** Starts the program on a runtime with one of its adapters. Every case has its own port. */
export async function startProgram(
  runtime: Runtime,
  adapter: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<Served> {
  const program = await bundleProgram("tests/support/contract/program.ts")
  const env = { ...process.env, FW_LOG_LEVEL: "off", ...variables }
  return served(start([...getCommand(runtime), program, adapter], { env }))
}

async function served(running: Running): Promise<Served> {
  const ports: number[] = JSON.parse(await running.line())
  return { server: (index) => ({ port: ports[index] as number }), stop: () => running.stop() }
}

/**
 * Returns the code with which a user would serve the cases: `listen()` chooses the adapter, and the directory of
 * static files is a literal.
 */
const main = (serveCases: string) => `import { App } from "fw"
import { serveCases } from ${JSON.stringify(serveCases)}

await serveCases(async (app, { host, port }) => {
  await app.listen(\`\${host}:\${port}\`)
  return app
})
export default new App({ staticDir: ${JSON.stringify(staticDirectory)} })
`

/**
 * Starts an executable with the cases, which the command builds, in a directory without the files of its project.
 */
export async function startContractExecutable(): Promise<Served> {
  const serveCases = await bundleProgram("tests/support/contract/serve-cases.ts")
  const source = project({ "main.ts": main(serveCases) })
  cpSync(join(root, staticDirectory), join(source, staticDirectory), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"), "junction")
  const place = project({})
  const binary = join(place, "contract")
  const { code, stdout, stderr } = await build(source, ["-o", binary])
  if (code !== 0) throw new Error(`fw build ended with ${code}: ${stdout}${stderr}`)
  rmSync(source, { recursive: true })
  return served(start([binary], { cwd: place, env: { PORT: "0", FW_LOG_LEVEL: "off" } }))
}

/** Starts the worker under workerd. A header names the case. */
export async function startContractWorker(): Promise<Served> {
  const code = await bundleWorker(join(root, "tests/support/contract/worker.ts"))
  const running = await startWorker({ code, assets: join(root, "tests", "fixtures", "contract") })
  return {
    server: (index) => ({ port: running.port, extra: `x-case: ${index}\r\n` }),
    stop: () => running.stop(),
  }
}
