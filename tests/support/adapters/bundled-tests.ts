/** Runs test files on the bundles for Node, and reports which parts of the core they loaded. */
import { execFile } from "node:child_process"
import { basename, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { root } from "../tsc.ts"

const url = (path: string) => pathToFileURL(join(root, "dist", "tests", path)).href
const label = "\nparts of the core: "

/**
 * Runs a test file whose imports of fw are entries of the package, with the bundles in their place.
 *
 * @param name below `tests/`, without `.test.ts`.
 * @returns the names of the parts. @throws if a test fails.
 */
export async function runOnBundles(name: string): Promise<readonly string[]> {
  const program = `
    import { createRequire } from "node:module"
    import { writeSync } from "node:fs"
    await import(${JSON.stringify(url("support/adapters/bundles-hook.js"))})
    process.once("exit", () => {
      const loaded = Object.keys(createRequire(${JSON.stringify(url("x.js"))}).cache)
      writeSync(1, ${JSON.stringify(label)} + JSON.stringify(loaded))
    })
    await import(${JSON.stringify(url(`${name}.test.js`))})`
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NODE_OPTIONS: "", NODE_V8_COVERAGE: undefined },
  })
  const loaded = JSON.parse(stdout.slice(stdout.lastIndexOf(label) + label.length)) as string[]
  return loaded.flatMap((path) => /^part-(\w+)-\w+\.cjs$/.exec(basename(path))?.[1] ?? [])
}
