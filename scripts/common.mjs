/** Shared parts of the scripts: the project's directory, running a program, failing with a message. */
import { spawn } from "node:child_process"
import { readdirSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** The project's directory. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A failure that its message explains: printed without a stack. */
export class ScriptError extends Error {}

/**
 * Runs a program to its end and gives its exit code and what it printed, on both streams, in order.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [options] `onLine` receives each line of
 *   its errors as it comes
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runProgram(program, args, { onLine, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, ...options, stdio: ["ignore", "pipe", "pipe"] })
    const chunks = []
    child.stdout.on("data", (chunk) => chunks.push(chunk))
    child.stderr.on("data", (chunk) => chunks.push(chunk))
    if (onLine) createInterface(child.stderr).on("line", onLine)
    child.on("error", reject)
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

/**
 * Runs the JavaScript command of an installed package with this very Node, whatever is first in PATH.
 *
 * @param {string} file below node_modules
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function runTool(file, args, options) {
  return runProgram(process.execPath, [join(root, "node_modules", file), ...args], options)
}

/**
 * Every file below a directory, as sorted paths relative to it with forward slashes. None if it does not exist.
 * What fw or npm keeps in `.fw/` and `node_modules/` is left out.
 *
 * @param {string} directory
 * @returns {string[]}
 */
export function listFilesBelow(directory) {
  const found = []
  const walk = (path) => {
    let entries
    try {
      entries = readdirSync(join(directory, path), { withFileTypes: true })
    } catch (error) {
      if (error.code === "ENOENT") return
      throw error
    }
    for (const entry of entries) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".fw") walk(name)
      else if (entry.isFile()) found.push(name)
    }
  }
  walk("")
  return found.sort()
}

/**
 * Runs a script's main function: its failures become a message and exit code 1.
 *
 * @param {() => Promise<unknown>} main
 */
export async function runScript(main) {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error)
    process.exitCode = 1
  }
}

/**
 * Returns true if a module is the program that was started, and not imported by another.
 *
 * @param {string} url its `import.meta.url`
 */
export function isMain(url) {
  return process.argv[1] !== undefined && fileURLToPath(url) === realpathSync(process.argv[1])
}
