/** Runs npm. */
import type { ToolIo } from "../cli/terminal.ts"
import { type ProgramEnd, type ProgramOptions, startProgram } from "./program.ts"

/**
 * Milliseconds for which npm waits for each answer of a registry, unless the environment says otherwise. By itself npm
 * waits five minutes.
 */
const registryTimeout = { npm_config_fetch_timeout: "30000" }

/** Options with which npm asks a registry once more, after a second. By itself it tries for more than a minute. */
export const retryOnce = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]

/** Returns the options for running npm with this Node and with all files and variables that configure npm. */
export function createNpmOptions(args: readonly string[], io: ToolIo): ProgramOptions {
  const missing = "Install npm. It comes with Node: https://nodejs.org/en/download."
  return { ...createScriptOptions("npm", args, { ...io, env: { ...registryTimeout, ...io.env } }), missing }
}

/** Returns the options for running a program that is a batch file on Windows, which needs a shell. */
export function createScriptOptions(
  name: string,
  args: readonly string[],
  { cwd, env, signal }: ToolIo,
): ProgramOptions {
  const isWindows = process.platform === "win32"
  return {
    program: isWindows ? (env.ComSpec ?? "cmd.exe") : name,
    args: [...(isWindows ? ["/d", "/s", "/c", name] : []), ...args],
    cwd,
    env,
    signal,
    name,
  }
}

/**
 * Runs npm to its end. Every exit code is a valid result.
 *
 * @throws FwError `program_missing`; the signal's reason if it aborted.
 */
export async function runNpm(
  args: readonly string[],
  io: ToolIo,
  onLine?: ProgramOptions["onLine"],
): Promise<ProgramEnd> {
  io.signal.throwIfAborted()
  const options = createNpmOptions(args, io)
  const end = await startProgram(onLine ? { ...options, onLine } : options).ended
  io.signal.throwIfAborted()
  return end
}

/** Returns true if npm's output says that the registry cannot be reached. */
export function saysUnreachable(output: string): boolean {
  return /\b(?:FETCH_ERROR|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|EIDLETIMEOUT)\b/.test(
    output,
  )
}

/**
 * Returns the package in a specifier: `@a/b` for `@a/b/c`. Returns null for a path, and for a text that cannot be
 * the name of a package.
 */
export function readPackageName(specifier: string): string | null {
  return /^(?:@[^/\\]+\/)?[^./\\@#][^/\\]*/.exec(specifier)?.[0] ?? null
}
