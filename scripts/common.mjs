/** Helpers for the scripts: the directory of the project, running a program, and failing with a message. */
import { spawn } from "node:child_process"
import { readdirSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** The project's directory. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A failure whose message says all, so it is printed without a stack. */
export class ScriptError extends Error {}

/**
 * Runs a program, and returns its exit code and its output. The output of both streams is kept in the order in which it
 * came.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [options] `onLine` receives each line
 *   on standard error as soon as it is written
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
 * Runs the JavaScript command of an installed package with the Node that runs this script, even if PATH has another
 * one.
 *
 * @param {string} file below node_modules
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function runTool(file, args, options) {
  return runProgram(process.execPath, [join(root, "node_modules", file), ...args], options)
}

/**
 * Returns all files below a directory, as sorted paths relative to it with forward slashes. Returns none if the
 * directory does not exist. The folders `.fw/` and `node_modules/` are left out.
 *
 * @param {string} directory
 * @returns {string[]}
 */
export function listFilesBelow(directory) {
  const files = []
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
      else if (entry.isFile()) files.push(name)
    }
  }
  walk("")
  return files.sort()
}

/**
 * Runs the main function of a script. If it fails, prints the message and sets exit code 1.
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
 * Returns true if a module is the program that was started, rather than imported by another module.
 *
 * @param {string} url its `import.meta.url`
 */
export function isMain(url) {
  return process.argv[1] !== undefined && fileURLToPath(url) === realpathSync(process.argv[1])
}
