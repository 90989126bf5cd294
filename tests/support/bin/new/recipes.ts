/**
 * Reads the recipes of docs/operations/hosts.md as files of a project, and installs the packages that they need.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runProgram, startProgram } from "../../../../bin/tools/program.ts"
import { root } from "../../tsc.ts"
import { project } from "../cli/command.ts"
import { addInstalled, listening, pack } from "./packed.ts"

/** Returns the files of a section by their names, which are in the first lines of its blocks. */
export function listFiles(section: string): Record<string, string> {
  const page = readFileSync(join(root, "docs/operations/hosts.md"), "utf8")
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`))
  if (text === undefined) throw new Error(`docs/operations/hosts.md has no section ${section}`)
  return readBlocks(text)
}

/** The app that every recipe hosts. */
export const appFile: Readonly<Record<string, string>> = readBlocks(
  readFileSync(join(root, "docs/operations/hosts.md"), "utf8").split(/^## /m)[0] as string,
)

function readBlocks(text: string): Record<string, string> {
  const blocks = [...text.matchAll(/^```js(?:on)?\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)]
  return Object.fromEntries(blocks.map(([, name, code]) => [name as string, code as string]))
}

/** Prints where a server of Node listens, because recipes do not. */
const preload = `import { Server } from "node:net"
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  this.once("listening", () => console.log("test: listening on " + this.address()?.port))
  return listen.apply(this, args)
}
`

const { peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  peerDependencies: Readonly<Record<string, string>>
}

/** A project with recipes. */
export interface RecipeProject {
  readonly folder: string
  /** Runs a program in the project to its end. @throws FwError if it fails. */
  run(program: string, ...args: string[]): Promise<string>
  /** Runs a server, calls `use` with a function that sends it requests, and then stops the server. */
  serving(use: (ask: Ask) => Promise<void>, program: string, ...args: string[]): Promise<void>
}

/** Requests a path from a server. Redirects are returned as answers. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Writes files, and installs the packages and the packed fw. */
export async function recipeProject(
  files: Readonly<Record<string, string>>,
  packages: readonly string[],
): Promise<RecipeProject> {
  const folder = project({
    "package.json": '{"private":true,"type":"module"}\n',
    "listening.mjs": preload,
    ...appFile,
    ...files,
  })
  const env = {
    ...process.env,
    PORT: "0",
    FW_LOG_LEVEL: "off",
    NODE_V8_COVERAGE: undefined,
    NODE_OPTIONS: undefined,
    NEXT_TELEMETRY_DISABLED: "1",
  }
  // npm compares the version of such a package with the version that fw requires.
  const together = packages.some((name) => name in peerDependencies)
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages]
  if (together) install.push(`./${(await pack(folder)).filename}`)
  await runProgram({ program: "npm", args: install, cwd: folder, env })
  if (!together) await addInstalled(folder)
  return {
    folder,
    run: async (program, ...args) => (await runProgram({ program, args, cwd: folder, env })).stdout,
    async serving(use, program, ...args) {
      const {
        port,
        program: running,
        output,
      } = await listening(
        (onLine) =>
          startProgram({
            program,
            args,
            cwd: folder,
            env: { ...env, NODE_OPTIONS: `--import=${join(folder, "listening.mjs")}` },
            onLine,
          }),
        /test: listening on (\d+)/,
      )
      try {
        await use((path, init) =>
          fetch(`http://localhost:${port}${path}`, {
            redirect: "manual",
            ...init,
            headers: { connection: "close", ...init?.headers },
          }),
        )
      } catch (error) {
        throw new Error(`${String(error)}\n${output()}`, { cause: error })
      } finally {
        await running.stop()
      }
    },
  }
}
