/** Node's cache of compiled code, for the modules of the command and of TypeScript's API. */
import { join } from "node:path"
import { cacheHome } from "../../adapters/disk/cache-home.ts"

/**
 * Lets Node keep what it compiles in the user's cache, from Node 22.8 on. A document of 600 operations takes 5 % less time with it.
 * Where the directory cannot be written, Node goes on without it. `NODE_DISABLE_COMPILE_CACHE` turns it off, and so does coverage,
 * which would miss functions.
 */
export function keepCompiled(env: NodeJS.ProcessEnv): void {
  // Node 20 has neither the function nor its type.
  const node = process.getBuiltinModule("node:module") as { enableCompileCache?(directory: string): unknown }
  if (!env.NODE_V8_COVERAGE) node.enableCompileCache?.(join(cacheHome(env), "fw", "compiled"))
}
