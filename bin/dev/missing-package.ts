/** Packages that are not installed: what Node says about them, as a problem at their import in the project. */
import { positionOf } from "../../lib/scan/tokens.ts"
import { shownPath } from "../project/problems.ts"
import type { SourcePlace } from "./ran.ts"

/** The messages of Node for `import` and for `require`, with the package and the file that asks for it. */
const messages = [
  /^Cannot find package '([^']+)' imported from (.+)/,
  /^Cannot find module '((?:@[^/']+\/)?[^/'.#@:\\][^/':\\]*)(?:\/[^']*)?'\nRequire stack:\n- (.+)/,
]

/** A package that a file of the project imports and that is not installed. */
export interface MissingPackage {
  readonly message: string
  readonly fix: string
  /** The literal that names it. */
  readonly written: RegExp
}

/** Returns the package that an error is about; null for another error, and for an import of a file outside the project. */
export function missingPackage(root: string, message: string): MissingPackage | null {
  const [, name, importer] = messages.map((one) => one.exec(message)).find((found) => found) ?? []
  if (name === undefined || importer === undefined) return null
  const file = shownPath(root, importer)
  if (file.startsWith("../") || /(?:^|\/)node_modules\//.test(file)) return null
  return {
    message: `the package ${name} is not installed`,
    fix: `Install it: npm install ${name}. Or correct its name.`,
    written: new RegExp(`["'\`]${name.replace(/[^\w@/-]/g, "\\$&")}(?:/[^"'\`\\n]*)?["'\`]`),
  }
}

/** Returns the position of a package's name in a file; undefined if the file does not contain it. */
export function importPlace(
  file: string,
  source: string,
  { written }: MissingPackage,
): SourcePlace | undefined {
  const found = written.exec(source)
  return found ? { file, ...positionOf(source, found.index), length: found[0].length } : undefined
}
