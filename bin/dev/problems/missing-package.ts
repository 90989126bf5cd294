/** Turns Node's message about a package that is not installed into a problem at the import in the project. */
import { toPosition } from "../../../lib/scan/tokens.ts"
import { toProjectPath } from "../../project/problems.ts"
import type { SourcePlace } from "../bundle/program-sources.ts"

/** Node's messages for `import` and `require`. They contain the package and the file that imports it. */
const messagePatterns = [
  /^Cannot find package '([^']+)' imported from (.+)/,
  /^Cannot find module '((?:@[^/']+\/)?[^/'.#@:\\][^/':\\]*)(?:\/[^']*)?'\nRequire stack:\n- (.+)/,
]

/** A package that a file of the project imports and that is not installed. */
export interface MissingPackage {
  readonly message: string
  readonly fix: string
  /** Matches the string literal with the package's name. */
  readonly literal: RegExp
}

/** Returns the package that an error is about; null for any other error, and for an import outside the project. */
export function findMissingPackage(root: string, message: string): MissingPackage | null {
  const [, name, importer] = messagePatterns.map((one) => one.exec(message)).find((found) => found) ?? []
  if (name === undefined || importer === undefined) return null
  const file = toProjectPath(root, importer)
  if (file.startsWith("../") || /(?:^|\/)node_modules\//.test(file)) return null
  return {
    message: `the package ${name} is not installed`,
    fix: `Install it: npm install ${name}. Or correct its name.`,
    literal: new RegExp(`["'\`]${name.replace(/[^\w@/-]/g, "\\$&")}(?:/[^"'\`\\n]*)?["'\`]`),
  }
}

/** Returns the position of the package's name in a file; undefined if the file does not contain it. */
export function findImportPlace(file: string, source: string, { literal }: MissingPackage): SourcePlace | undefined {
  const found = literal.exec(source)
  return found ? { file, ...toPosition(source, found.index), length: found[0].length } : undefined
}
