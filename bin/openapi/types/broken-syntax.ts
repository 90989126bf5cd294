/** Syntax errors in the files from which types are read. */
import { basename } from "node:path"
import { isTestFile } from "../../project/test-file.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import type { TypeProgram } from "../../tools/typescript/program.ts"

/**
 * Returns the reason why types cannot be relied on: TypeScript leaves out what it cannot parse, such as a property.
 * Returns undefined if TypeScript could parse everything. Nothing reads types from test files.
 */
export function findBrokenSyntax(program: TypeProgram): Untyped | undefined {
  const [first] = program.listSyntaxErrors().filter(({ file }) => !isTestFile(basename(file)))
  if (!first) return undefined
  const { file, line, column, message } = first
  return { untyped: `${file}:${line}:${column} has a syntax error: ${message}`, fix: "Fix the syntax." }
}
