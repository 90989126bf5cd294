/** Files of a project that its modules import. */
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import type { ModuleText } from "../../lib/scan/exports.ts"
import { stringValue } from "../../lib/scan/proxy-config.ts"

type Aliases = ReadonlyArray<readonly [start: string, target: string]>

/** Returns the names of package.json that stand for files of the project, such as `#lib/*`. */
export function aliasesOf(root: string): Aliases {
  try {
    const { imports = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    return Object.entries(imports as object).flatMap(([name, target]) => {
      const isFolder = name.endsWith("/*") && typeof target === "string" && target.endsWith("/*")
      return isFolder ? [[name.slice(0, -1), (target as string).slice(0, -1)] as const] : []
    })
  } catch {
    return []
  }
}

/** Returns the names that a module imports from, as they are written. */
export function specifiersOf({ tokens }: ModuleText): string[] {
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1]?.text
    const isName = token.kind === "string" && (before === "from" || before === "import")
    return isName ? [stringValue(token.text)] : []
  })
}

/** Returns the files of the project that a module imports. */
export function importsOf(module: ModuleText, aliases: Aliases): string[] {
  return specifiersOf(module).flatMap((name) => {
    const alias = aliases.find(([start]) => name.startsWith(start))
    if (alias) return [posix.normalize(`${alias[1]}${name.slice(alias[0].length)}`)]
    return name.startsWith(".") ? [posix.join(dirname(module.file), name)] : []
  })
}
