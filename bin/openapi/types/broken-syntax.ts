/** Finds syntax errors in the files from which types are read. */
import { basename } from "node:path"
import { isTestFile } from "../../project/test-file.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import type { TypeProgram } from "../../tools/typescript/program.ts"

/**
 * Returns the reason why types may be incomplete: TypeScript leaves out what it cannot parse, such as a property.
 * Returns undefined if there are no syntax errors. Test files do not count, because no types are read from them.
 */
export function findBrokenSyntax(program: TypeProgram): Untyped | undefined {
  const [first] = program.listSyntaxErrors().filter(({ file }) => !isTestFile(basename(file)))
  if (!first) return undefined
  const { file, line, column, message } = first
  return { untyped: `${file}:${line}:${column} has a syntax error: ${message}`, fix: "Fix the syntax." }
}
