/** Finds out by analysis, without running it, whether a regular expression takes linear time for every text. */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { tokenize } from "../../../lib/scan/tokens.ts"
import { root } from "../tsc.ts"

const load = () => createRequire(import.meta.url)("recheck") as typeof import("recheck")
let recheck: ReturnType<typeof load> | undefined

/**
 * Options without time limits, so that a busy machine gives the same result as an idle one. Expressions of a usual
 * size are proved, and others are tried with a few texts.
 */
const analysis = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  maxNFASize: 3000,
  maxInitialGenerationSize: 50,
  maxIteration: 3,
}
const known = new Map<string, string | undefined>()

/** Returns a text for which an expression takes more than linear time, or undefined if there is none. */
export function attackOn(source: string, flags: string): string | undefined {
  const key = `/${source}/${flags}`
  if (!known.has(key)) {
    recheck ??= load()
    // The package does not know the flag v. Most expressions mean the same with u.
    const found = recheck.checkSync(source, flags.replace("v", "u"), analysis)
    if (found.status === "unknown") throw new Error(`/${source}/${flags} cannot be analysed: ${found.error.kind}`)
    known.set(key, found.status === "vulnerable" ? found.attack.pattern : undefined)
  }
  return known.get(key)
}

/** Returns the expressions in the sources that read text of unknown authors, each with a file that contains it. */
export function listExpressions(): Map<string, string> {
  const found = new Map<string, string>()
  for (const folder of ["lib", "template", "adapters"])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue
      const file = `${folder}/${name}`
      const code = readFileSync(join(root, file), "utf8")
      for (const { kind, text } of tokenize(code, { file, allowsJSX: false }).tokens)
        if (kind === "regex") found.set(text, file)
    }
  return found
}
