/** Which programs and packages a project can use here, and which versions they are. Called by `fw info`. */
import { readFile, realpath } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Io } from "../cli/terminal.ts"
import { findCss, versionOf } from "../css/binary.ts"
import { runProgram } from "../tools/program.ts"

/** Something that is there. */
export interface Tool {
  /** Null where it does not tell. */
  readonly version: string | null
  /** A package's directory, a binary, or the name that `PATH` knows it by. */
  readonly path: string
}

/** What a project uses or may run on; null for what is not there. */
export interface Toolchains {
  readonly esbuild: Tool | null
  readonly typescript: Tool | null
  readonly css: Tool | null
  readonly git: Tool | null
  readonly npm: Tool | null
  readonly bun: Tool | null
  readonly deno: Tool | null
}

type World = Pick<Io, "cwd" | "env" | "signal">

/** Looks for all of them at once. */
export async function findToolchains(world: World): Promise<Toolchains> {
  const [esbuild, typescript, css, git, npm, bun, deno] = await Promise.all([
    findPackage(world.cwd, "esbuild"),
    findPackage(world.cwd, "typescript"),
    findCompiler(world),
    findProgram("git", world),
    findProgram("npm", world),
    findProgram("bun", world),
    findProgram("deno", world),
  ])
  return { esbuild, typescript, css, git, npm, bun, deno }
}

/** A package as the project resolves it; null where it has none. None of its code is run. */
export async function findPackage(root: string, name: string): Promise<Tool | null> {
  try {
    const file = createRequire(join(root, "package.json")).resolve(`${name}/package.json`)
    const { version } = JSON.parse(await readFile(file, "utf8")) as { version?: string }
    return { version: version ?? null, path: await realpath(dirname(file)) }
  } catch {
    return null
  }
}

async function findCompiler(world: World): Promise<Tool | null> {
  const found = await findCss(world).catch(() => null)
  return found?.installed ? { version: await versionOf(found.path, world), path: found.path } : null
}

async function findProgram(name: string, { cwd, env, signal }: World): Promise<Tool | null> {
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    // npm is a script on Windows, which only a shell runs; there it is told by its package alone.
    const { stdout } = await runProgram({ program: name, args: ["--version"], cwd, env, signal: either })
    return { version: /\d+\.\d+[^\s,]*/.exec(stdout)?.[0] ?? null, path: name }
  } catch {
    signal.throwIfAborted()
    return null
  }
}
