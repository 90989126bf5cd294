/** The facts about a function while its source is being read. */

import type { Node, Type } from "../../../tools/typescript/program.ts"
import type { AnswerFacts, BodyRead, SentHeader, ValueRead } from "../../document/model.ts"
import type { Methods } from "./methods.ts"
import type { ParameterPath } from "./parameters.ts"

/** A response. `generic` means that its type contains a type parameter of the function. */
export interface FoundAnswer extends AnswerFacts {
  readonly generic?: true
  /** The status, if it depends on how the function is called. */
  readonly open?: OpenStatus
  /** The expression with an unknown status from which this response was resolved. */
  readonly resolvedFrom?: Node
  /** The call that creates it. */
  readonly call?: Node
}

/** A call that sets the media type of an answer, or of all later answers of a context. */
export interface MediaChange {
  readonly media: string
  /** The call that creates the answer. */
  readonly answerCall?: Node
  /** The call that sets the media type on the context. */
  readonly contextCall?: Node
}

/** A status that depends on how a function is called. It is called open. */
export interface OpenStatus {
  /** The expression that creates the response, or a call that does not reveal the status either. */
  readonly at: Node
  /** The parameter with the status; undefined if no further call decides it. */
  readonly parameter?: ParameterPath | undefined
}

/** A body, the call that reads it, and what its type depends on. */
export type FoundBody = BodyRead & { readonly at?: Node; readonly open?: OpenBody }

/** What must be known from a call to resolve a body. */
export interface OpenBody {
  /** The type to which the body is bound. It contains type parameters of the function. */
  readonly type: Type | undefined
  /** The parameter with the schema. */
  readonly schema?: ParameterPath
}

/** All facts about a function, in the order of the source. */
export interface FoundFacts {
  readonly reads: ValueRead[]
  readonly bodies: FoundBody[]
  readonly answers: FoundAnswer[]
  /** The security that the middleware of a single handler declares. */
  readonly security: (readonly string[])[]
  readonly headers: SentHeader[]
  readonly mediaChanges: MediaChange[]
}

/** Returns an object without facts. */
export function createFoundFacts(): FoundFacts {
  return { reads: [], bodies: [], answers: [], security: [], headers: [], mediaChanges: [] }
}

/** Adds the facts of a function that is passed on and not called directly. */
export function addFacts(inner: FoundFacts, found: FoundFacts, scope: Scope): void {
  found.reads.push(...inner.reads)
  found.bodies.push(...limitToMethods(scope, inner.bodies))
  found.security.push(...inner.security)
  found.headers.push(...limitToMethods(scope, inner.headers))
  found.answers.push(...limitToMethods(scope, inner.answers))
}

/** The context of a node inside a function. */
export interface Scope {
  /** True if the function has type parameters, which its responses may contain. */
  readonly isGeneric: boolean
  /** True if errors that are thrown here are caught. */
  readonly isCaught: boolean
  /** The request methods for which the node is reached. */
  readonly methods: Methods
}

/** Limits facts to the request methods of a scope. Facts that apply to none of these methods are left out. */
export function limitToMethods<A extends AnswerFacts | SentHeader | FoundBody>(
  { methods }: Scope,
  facts: readonly A[],
): A[] {
  if (methods === null) return [...facts]
  return facts.flatMap((fact) => {
    const reachableMethods = fact.methods?.filter((method) => methods.includes(method)) ?? methods
    return reachableMethods.length > 0 ? [{ ...fact, methods: reachableMethods }] : []
  })
}

/** The schema of a body. `--load` reads its JSON Schema. */
export interface SchemaPlace {
  /** The file to whose scope the expression belongs, relative to the project. */
  readonly file: string
  readonly expression: string
}
