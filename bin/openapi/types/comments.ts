/** Reads doc comments in the project's source. */
import { readCommentLines } from "../../../lib/scan/comments.ts"
import type { Node, TypeProgram } from "../../tools/typescript/program.ts"

/**
 * Returns the text of the last doc comment before a declaration. It is read from the source, because the checker
 * ignores a comment on the line of the preceding `{`.
 */
export function readDocComment(node: Node, { kinds }: Pick<TypeProgram, "kinds">): string | undefined {
  const statement = findStatement(node, kinds)
  const source = statement.getSourceFile()
  const before = source.text.slice(statement.pos, statement.getStart(source))
  if (!before.includes("/**")) return undefined
  const comments = [...before.matchAll(/\/\*\*(?!\/)[\s\S]*?\*\//g)]
  const last = comments.at(-1)
  if (!last) return undefined
  // A comment at the end of the previous line belongs to that line.
  const trailing = !before.slice(0, last.index).includes("\n") && before.slice(last.index).includes("\n")
  if (trailing && statement.pos > 0 && !last[0].includes("\n")) return undefined
  return readCommentLines(last[0]).join("\n").trim() || undefined
}

/** Returns the statement of a variable, because the comment is before `const`. */
function findStatement(node: Node, kinds: TypeProgram["kinds"]): Node {
  const list = node.kind === kinds.VariableDeclaration ? node.parent : undefined
  return list?.parent?.kind === kinds.VariableStatement ? list.parent : node
}
