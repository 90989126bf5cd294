/** Finds the programs and packages that a project can use on this machine, with their versions. */
import { readFile, realpath } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { ToolIo } from "../cli/terminal.ts"
import { findCSS, readCSSVersion } from "../css/binary.ts"
import { runProgram } from "../tools/program.ts"

/** An available tool. */
export interface Tool {
  /** The version; null if the tool does not report one. */
  readonly version: string | null
  /** The directory of a package, the path of a program, or its name in `PATH`. */
  readonly path: string
}

/** The tools that a project uses and the runtimes for it; null for missing ones. */
export interface Toolchains {
  readonly esbuild: Tool | null
  readonly typescript: Tool | null
  readonly css: Tool | null
  readonly git: Tool | null
  readonly npm: Tool | null
  readonly bun: Tool | null
  readonly deno: Tool | null
}

/** Looks for all tools at the same time. */
export async function findToolchains(io: ToolIo): Promise<Toolchains> {
  const [esbuild, typescript, css, git, npm, bun, deno] = await Promise.all([
    findPackage(io.cwd, "esbuild"),
    findPackage(io.cwd, "typescript"),
    findCompiler(io),
    findProgram("git", io),
    findProgram("npm", io),
    findProgram("bun", io),
    findProgram("deno", io),
  ])
  return { esbuild, typescript, css, git, npm, bun, deno }
}

/** Returns an installed package of a project, without running its code; null if it is not installed. */
export async function findPackage(root: string, name: string): Promise<Tool | null> {
  try {
    const file = createRequire(join(root, "package.json")).resolve(`${name}/package.json`)
    const { version } = JSON.parse(await readFile(file, "utf8")) as { version?: string }
    return { version: version ?? null, path: await realpath(dirname(file)) }
  } catch {
    return null
  }
}

async function findCompiler(io: ToolIo): Promise<Tool | null> {
  const found = await findCSS(io).catch(() => null)
  return found?.installed ? { version: await readCSSVersion(found.path, io), path: found.path } : null
}

async function findProgram(name: string, { cwd, env, signal }: ToolIo): Promise<Tool | null> {
  try {
    const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    // npm is a script on Windows, which would need a shell, so its version comes from its package.json there.
    const { stdout } = await runProgram({ program: name, args: ["--version"], cwd, env, signal: combinedSignal })
    return { version: /\d+\.\d+[^\s,]*/.exec(stdout)?.[0] ?? null, path: name }
  } catch {
    signal.throwIfAborted()
    return null
  }
}
