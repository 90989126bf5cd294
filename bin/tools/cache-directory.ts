/** Where fw keeps what it downloads, for all projects of a user. Used by css-binary and node-binary. */
import { join } from "node:path"
import { cacheHome } from "../../adapters/disk/cache-home.ts"
import type { Io } from "../cli/terminal.ts"

/** Returns the cache: `fw` in `XDG_CACHE_HOME`, by default in `~/.cache`. */
export function cacheDirectory(env: Io["env"]): string {
  return join(cacheHome(env), "fw")
}
