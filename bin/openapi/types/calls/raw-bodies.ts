/**
 * Leaves out bodies that are read as text or bytes, if the same request must also be JSON or a form. Other media
 * types get a 415, so they must not be in the document.
 */
import type { Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { FoundBody } from "./found-facts.ts"

type NodeFields = Node & { readonly [part: string]: unknown; readonly statements?: readonly Node[] }

/** Returns true for a body that is read as text or bytes. */
export function isRawBody({ kind }: FoundBody): boolean {
  return kind === "text" || kind === "bytes"
}

/** Removes the text and bytes bodies of requests that must also be JSON or a form. */
export function dropRawBodies(bodies: readonly FoundBody[], program: TypeProgram): FoundBody[] {
  const parsed = bodies.flatMap((body) => (body.at && !isRawBody(body) && body.kind !== "query" ? [body.at] : []))
  return bodies.filter(
    (body) => !isRawBody(body) || !body.at || !parsed.some((at) => isParsedToo(body.at as Node, at, program)),
  )
}

/**
 * Returns true if a request whose body is read at one position is only accepted if it can be parsed at another one.
 */
function isParsedToo(raw: Node, parsed: Node, program: TypeProgram): boolean {
  const listAncestors = (node: Node): Node[] => (node ? [node, ...listAncestors(node.parent)] : [])
  const [left, right] = [listAncestors(raw), listAncestors(parsed)]
  const shared = left.find((node) => right.includes(node))
  if (!shared) return false
  const paths = [left, right].map((path) => path.slice(0, path.indexOf(shared)))
  const [rawPath = [], parsedPath = []] = paths
  if (rawPath.some((node) => isBranch(node, program) && mayReturn(node, program))) return false
  if (parsedPath.some((node) => isBranch(node, program))) return false
  const { statements = [] } = shared as NodeFields
  const [rawIndex, parsedIndex] = [rawPath, parsedPath].map((path) => statements.indexOf(path.at(-1) as Node))
  return !statements.slice(Number(rawIndex) + 1, parsedIndex).some((node) => mayReturn(node, program))
}

/** Returns true for code that does not always run, or whose errors are caught. */
function isBranch(node: Node, { kinds }: TypeProgram): boolean {
  const { parent, kind } = node
  const { operatorToken, right, catchClause, tryBlock } = parent as NodeFields
  const { thenStatement, elseStatement, whenTrue, whenFalse, statement, body } = parent as NodeFields
  if (right === node) return /^(?:&&|\|\||\?\?)/.test((operatorToken as Node).getText())
  const caught = catchClause ? [catchClause, tryBlock] : []
  const parts = [thenStatement, elseStatement, whenTrue, whenFalse, statement, body, ...caught]
  return parts.includes(node) || kind === kinds.CaseClause || kind === kinds.DefaultClause
}

/** Matches an answer that refuses a request. */
const refusalPattern =
  /^(?:await )?(?:\w+\.\w+\(\s*[45]\d\d\b|new \w*Error\(|(?:badRequest|unauthorized|forbidden|notFound)\()/

/** Returns true if code may answer a request without refusing it. */
function mayReturn(node: Node, program: TypeProgram): boolean {
  if (node.kind !== program.kinds.ReturnStatement)
    return node.forEachChild((child) => mayReturn(child, program) || undefined) ?? false
  return !refusalPattern.test(((node as NodeFields).expression as Node | undefined)?.getText() ?? "")
}
