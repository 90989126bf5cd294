/** Finds the package registry that the user's npm uses, and its token. */
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import type { Io, ToolIo } from "../../cli/terminal.ts"
import { programFault } from "../../messages/programs.ts"
import { createNpmOptions } from "../../tools/npm.ts"
import { runProgram } from "../../tools/program.ts"

/** The registry from which packages are downloaded. */
export interface Registry {
  readonly base: URL
  /** The `Authorization` header for the registry, from `.npmrc`. */
  readonly authorization: string | undefined
}

/**
 * Asks npm for its registry, because npm reads many files and variables.
 *
 * @throws FwError `registry` if npm has no registry.
 */
export async function findRegistry(io: ToolIo): Promise<Registry> {
  const { cwd, env, signal } = io
  const { stdout } = await runProgram(createNpmOptions(["config", "get", "registry"], { cwd, env, signal }))
  const text = stdout.trim().split(/\r?\n/).at(-1) ?? ""
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw programFault("registry")
  const base = new URL(text)
  return { base, authorization: await findAuthorization(base, io) }
}

/**
 * Returns the `Authorization` header that `.npmrc` has for a URL or a parent of it. The project's own file comes
 * first. npm itself does not reveal its tokens.
 */
async function findAuthorization(base: URL, { cwd, env }: ToolIo): Promise<string | undefined> {
  const userFile = env.npm_config_userconfig || env.NPM_CONFIG_USERCONFIG || join(env.HOME || homedir(), ".npmrc")
  for (const file of [join(cwd, ".npmrc"), userFile]) {
    const text = await readFile(file, "utf8").catch(() => "")
    const found = readAuthorization(text, base, env)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the `Authorization` header for a URL from the text of an `.npmrc`, if there is one. */
export function readAuthorization(text: string, base: URL, env: Io["env"]): string | undefined {
  const settings = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, key, value = ""] = /^\s*(\/\/\S+?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const unquoted = value.replace(/^"(.*)"$/, "$1")
    if (key)
      settings.set(
        key,
        unquoted.replace(/\$\{([^}]+)\}/g, (_, name: string) => env[name] ?? ""),
      )
  }
  const parts = base.pathname.split("/").filter((part) => part !== "")
  for (let length = parts.length; length >= 0; length -= 1) {
    const path = parts.slice(0, length).map((part) => `${part}/`)
    const registryPath = `//${base.host}/${path.join("")}`
    const token = settings.get(`${registryPath}:_authToken`)
    if (token) return `Bearer ${token}`
    const credentials = settings.get(`${registryPath}:_auth`)
    if (credentials) return `Basic ${credentials}`
  }
  return undefined
}
