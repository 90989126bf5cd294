/** Runs the TypeScript compiler. */
import { spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The directory of this repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

/** One error that the compiler found. */
export interface Diagnostic {
  /** The path of the file, relative to the project. */
  readonly file: string
  readonly line: number
  readonly code: string
  /** The message with the lines that explain it. */
  readonly message: string
}

/**
 * Compiles a project, and writes JavaScript next to it only if `emit` is true. Rejects with the output if that is
 * not a list of diagnostics.
 */
export function compile(project: string, { emit = false } = {}): Promise<Diagnostic[]> {
  return new Promise((resolve, reject) => {
    const args = [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      project,
      "--noEmit",
      String(!emit),
      "--pretty",
      "false",
    ]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    const take = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on("data", take)
    child.stderr.on("data", take)
    child.on("error", reject)
    child.on("close", (code) => {
      const found = parse(output)
      if ((code === 0) === (found.length === 0)) resolve(found)
      else reject(new Error(`tsc -p ${project} ended with ${code}:\n${output}`))
    })
  })
}

function parse(output: string): Diagnostic[] {
  const found: { file: string; line: number; code: string; message: string }[] = []
  for (const text of output.split("\n")) {
    const start = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(text)
    if (start) {
      const [, file, line, code, message] = start as unknown as [string, string, string, string, string]
      found.push({ file, line: Number(line), code, message })
    } else if (text.startsWith(" ")) {
      const last = found.at(-1)
      if (last) last.message += `\n${text}`
    }
  }
  return found
}
