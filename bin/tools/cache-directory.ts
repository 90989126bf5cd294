/** The cache for downloads, which all projects of a user share. */
import { join } from "node:path"
import { getCacheHome } from "../../adapters/disk/cache-home.ts"
import type { Io } from "../cli/terminal.ts"

/** Returns the directory `fw` in `XDG_CACHE_HOME`, which is `~/.cache` by default. */
export function getCacheDirectory(env: Io["env"]): string {
  return join(getCacheHome(env), "fw")
}
