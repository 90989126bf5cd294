/** Runs the command in a test: in this process with artificial inputs, or as the real program. */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import type { Group } from "../../../../bin/cli/spec.ts"
import type { Io, Output } from "../../../../bin/cli/terminal.ts"
import { main } from "../../../../bin/main.ts"

/** The environment that a command gets. Nothing of the test's own environment is included. */
export interface World {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Typed input. */
  readonly input?: string
  readonly isTerminal?: boolean
  readonly columns?: number
  readonly signal?: AbortSignal
}

/** The result of a command. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Creates an `Io` whose outputs are kept as text. */
export function fakeIo(world: World = {}): { io: Io; stdout: () => string; stderr: () => string } {
  const { isTerminal = false, columns = 80 } = world
  const written = { stdout: "", stderr: "" }
  const output = (name: keyof typeof written): Output => ({
    write: (text) => {
      written[name] += text
    },
    isTerminal,
    columns,
  })
  const io: Io = {
    cwd: world.cwd ?? tmpdir(),
    env: world.env ?? {},
    stdin: Readable.from(world.input === undefined ? [] : [world.input]),
    interactive: isTerminal,
    stdout: output("stdout"),
    stderr: output("stderr"),
    signal: world.signal ?? new AbortController().signal,
  }
  return { io, stdout: () => written.stdout, stderr: () => written.stderr }
}

/** Runs `main` with an artificial environment, and returns its exit code and output. */
export async function fw(argv: readonly string[], world: World = {}, table?: Group): Promise<Ran> {
  const { io, stdout, stderr } = fakeIo(world)
  const code = await main(argv, io, table)
  return { code, stdout: stdout(), stderr: stderr() }
}

/** The path of the built program. */
export const program = fileURLToPath(new URL("../../../../dist/bin/fw.js", import.meta.url))

/** Runs a program with this Node, and returns what it printed. `env` is added to the test's environment. */
export function runNode(
  args: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FORCE_COLOR: undefined, NO_COLOR: undefined, ...options.env }
    const child = spawn(process.execPath, args, { ...options, env, stdio: ["ignore", "pipe", "pipe"] })
    const written = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      written.stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      written.stderr += text
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code: code ?? -1, ...written }))
  })
}

const temporary: string[] = []
process.once("exit", () => {
  for (const directory of temporary) rmSync(directory, { recursive: true, force: true })
})

/** Writes files into a new directory, which is removed when the test's process ends. */
export function project(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "fw-test-"))
  temporary.push(directory)
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return directory
}
