/** Reads all facts about a project's routes from its types. */

import type { RouteTree } from "../../../lib/tree.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import type { Node, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import type { AppDescription, Facts } from "../document/model.ts"
import { findBrokenSyntax } from "./broken-syntax.ts"
import { FactFinder } from "./calls/fact-finder.ts"
import type { SchemaPlace } from "./calls/found-facts.ts"
import { findTarget } from "./calls/functions.ts"
import { readDocComment } from "./comments.ts"
import { addDeclaredFacts, readReturnedFacts } from "./main/declared-facts.ts"
import { readMain } from "./main/main-file.ts"

/** The description of an app, and the positions of the schemas that validate bodies. */
export interface ProjectDescription extends AppDescription {
  readonly schemaPlaces: ReadonlyMap<string, SchemaPlace>
  /** The first syntax error, because of which types may be incomplete. */
  readonly syntaxProblem?: Untyped | undefined
}

/** Reads the handlers, the middleware and the proxy of a tree, and what `main.ts` registers. */
export function describeRoutes(program: TypeProgram, tree: RouteTree, main: string | null): ProjectDescription {
  const finder = new FactFinder(program)
  const reader = new ExportReader(finder)
  const handlers = new Map<string, Facts>()
  for (const { file, export: name, line } of tree.routes) {
    // OpenAPI does not describe WebSockets.
    if (name === "Socket" || handlers.has(`${file}#${name}`)) continue
    const facts = reader.readHandler(file, name, line)
    if (facts) handlers.set(`${file}#${name}`, facts)
  }
  const middleware = new Map<string, Facts>()
  for (const { file } of tree.middleware) {
    const facts = reader.readFacts(file, "Middleware")
    if (facts) middleware.set(file, facts)
  }
  const proxy = tree.proxy && reader.readFacts(tree.proxy.file, "Proxy")
  const mainFacts = main === null ? undefined : finder.readOrWarn({ file: main, line: 1 }, () => readMain(main, finder))
  const registered = (mainFacts?.registeredRoutes ?? []).map(({ node, ...route }) => ({
    ...route,
    facts: warnUnknownAnswers(route.facts, node, route.method, finder),
  }))
  return {
    handlers,
    middleware,
    ...(proxy && { proxy }),
    ...(mainFacts ?? { global: [] }),
    registeredRoutes: registered,
    types: [...finder.shapes.namedTypes, ...finder.inputs.namedTypes],
    warnings: finder.warnings,
    schemaPlaces: finder.schemas,
    // If TypeScript's process has ended, this cannot be read, and every handler has a warning already.
    ...(program.isAlive() && { syntaxProblem: findBrokenSyntax(program) }),
  }
}

/** Reads the exports of files. If one export cannot be read, that is reported, and the others are still read. */
class ExportReader {
  readonly #finder: FactFinder
  readonly #files = new Map<string, ReadonlyMap<string, Node>>()

  constructor(finder: FactFinder) {
    this.#finder = finder
  }

  readHandler(file: string, name: string, line: number): Facts | undefined {
    return this.#finder.readOrWarn({ file, line }, () => {
      const facts = this.#readExport(file, name, false)
      return facts && warnUnknownAnswers(facts, this.#findExport(file, name) as Node, name, this.#finder)
    })
  }

  readFacts(file: string, name: string): Facts | undefined {
    return this.#finder.readOrWarn({ file, line: 1 }, () => this.#readExport(file, name, true))
  }

  /**
   * Reads an export.
   *
   * @param isMiddleware true if it returns middleware, whose type may declare security and answers.
   */
  #readExport(file: string, name: string, isMiddleware: boolean): Facts | undefined {
    const finder = this.#finder
    const declaration = this.#findExport(file, name)
    const target = declaration && findTarget(declaration, finder.program)
    if (!declaration || !target) return undefined
    const comment = readDocComment(declaration, finder.program)
    const facts = finder.readFacts(target)
    const allFacts = isMiddleware ? addDeclaredFacts(facts, readReturnedFacts(target, finder)) : facts
    return { ...allFacts, ...(comment && { comment }) }
  }

  #findExport(file: string, name: string): Node | undefined {
    const known = this.#files.get(file) ?? findExports(file, this.#finder.program)
    this.#files.set(file, known)
    return known.get(name)
  }
}

/** Adds a warning if the responses of a handler are not known, unless it only throws. */
function warnUnknownAnswers(facts: Facts, node: Node, name: string, finder: FactFinder): Facts {
  const { answers } = facts
  if (answers.some(({ error, status, media }) => !error && (status !== null || media !== "*/*"))) return facts
  const { checker, flags: f } = finder.program
  const target = findTarget(node, finder.program)
  const signature = target && checker.getSignaturesOfType(checker.getTypeAtLocation(target) as never, 0)[0]
  const type = signature && checker.getReturnTypeOfSignature(signature)
  // If the context has the type any, so has everything that it returns.
  const throws = answers.length > 0 && answers.every(({ error }) => error) && !((type?.flags ?? 0) & f.Any)
  if (type && (type.flags & (f.Never | f.Void) || throws)) return facts
  if (target && onlyThrows(target, finder.program)) return facts
  const fix = "Answer with the context, such as c.json(200, data), or give its result the type TypedResponse."
  finder.warn(node, `what ${name} answers is not known from its types`, fix)
  return { ...facts, answers: [...answers.filter(({ error }) => error), { status: null, media: "*/*" }] }
}

/** Returns true for a function such as `function Post(): Response { throw … }`. */
function onlyThrows(node: Node, { kinds }: TypeProgram): boolean {
  const { statements } = (node as SyntaxNode).body ?? {}
  return statements?.at(-1)?.kind === kinds.ThrowStatement && !/\breturn\b/.test(node.getText())
}

/** Returns the declarations of a module's exports, including those that it exports from other modules. */
function findExports(file: string, program: TypeProgram): ReadonlyMap<string, Node> {
  const { checker, symbolFlags: s } = program
  const source = program.getFile(file)
  const symbol = source && checker.getSymbolAtLocation(source)
  const found = new Map<string, Node>()
  for (const exported of symbol ? checker.getExportsOfModule(symbol) : []) {
    const real = exported.flags & s.Alias ? checker.getAliasedSymbol(exported) : exported
    const node = program.resolveNode(real.valueDeclaration ?? real.declarations[0])
    if (node) found.set(exported.name, node)
  }
  return found
}
