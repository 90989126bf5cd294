/** Creates a project with a generated client, and loads its app and the client's functions in this process. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { fw, type Ran } from "../cli/command.ts"
import { makeProject } from "../dev/dev-project.ts"
import { clientAPI } from "./client-api.ts"

/** A result of the client. */
export interface Result {
  readonly ok: boolean
  readonly status: number
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/** The modules of the project. */
export interface ClientProject {
  readonly cwd: string
  /** The output of `fw generate client`. */
  readonly written: Ran
  readonly app: {
    readonly addr: string
    fetch(request: Request): Response | Promise<Response>
    listen(address: string): Promise<unknown>
    shutdown(): Promise<void>
  }
  createClient(options?: object): Record<string, (input?: object) => Promise<Result>>
}

const entry = `import { App } from "fw"
import routes from "./.fw/routes.ts"
export { createClient } from "./lib/client.ts"
export const app = new App({ logger: false })
await app.mount(routes)
`

/** Creates the project of {@link clientAPI}, and loads it. */
export async function clientProject(): Promise<ClientProject> {
  const cwd = makeProject(clientAPI, ["fw", "esbuild", "typescript"])
  const written = await fw(["generate", "client"], { cwd })
  await fw(["generate", "templates"], { cwd })
  const outfile = join(cwd, "loaded.mjs")
  const options = {
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  } as const
  await build({
    ...options,
    absWorkingDir: cwd,
    stdin: { contents: entry, resolveDir: cwd, loader: "ts" },
    outfile,
  })
  return { cwd, written, ...(await import(pathToFileURL(outfile).href)) }
}
