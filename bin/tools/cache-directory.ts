/** The cache for downloads, shared by all projects of a user. */
import { join } from "node:path"
import { getCacheHome } from "../../adapters/disk/cache-home.ts"
import type { Io } from "../cli/terminal.ts"

/** Returns the cache: `fw` in `XDG_CACHE_HOME`, by default in `~/.cache`. */
export function cacheDirectory(env: Io["env"]): string {
  return join(getCacheHome(env), "fw")
}
