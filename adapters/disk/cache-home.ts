/** Finds the user's directory for cached files, which programs can create again. */
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/**
 * Returns `XDG_CACHE_HOME`, or `~/.cache` if the variable is not set. A relative path counts as not set (XDG Base
 * Directory Specification 0.8, "Basics").
 */
export function getCacheHome(env: Readonly<Record<string, string | undefined>>): string {
  const directory = env.XDG_CACHE_HOME
  return directory && isAbsolute(directory) ? directory : join(env.HOME || homedir(), ".cache")
}
