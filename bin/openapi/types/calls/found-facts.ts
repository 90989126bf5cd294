/** The facts of a function while its source is read. */

import type { Node, Type } from "../../../tools/typescript/program.ts"
import type { AnswerFacts, BodyRead, SentHeader, ValueRead } from "../../document/model.ts"
import type { Methods } from "./methods.ts"
import type { ParameterPath } from "./parameters.ts"

/** A response. It is open if its type contains a type parameter of the function. */
export interface FoundAnswer extends AnswerFacts {
  readonly generic?: true
  /** Source of a status that a function gets as an argument. */
  readonly open?: OpenStatus
  /** The expression whose unknown status is known in this response. */
  readonly from?: Node
  /** The call that makes it. */
  readonly made?: Node
}

/** A media type that is set on the answer of a call, or on all answers that a context makes after a call. */
export interface SetMedia {
  readonly media: string
  readonly of?: Node
  readonly from?: Node
}

/** A status that depends on the calls of a function. */
export interface OpenStatus {
  /** The expression that makes the response, or a call that does not show the status either. */
  readonly at: Node
  /** The parameter with the status; undefined if no further call decides it. */
  readonly parameter?: ParameterPath | undefined
}

/** A body that is read, the call that reads it, and the parts that its type depends on. */
export type FoundBody = BodyRead & { readonly at?: Node; readonly open?: OpenBody }

/** The facts that a call of the binding function must provide. */
export interface OpenBody {
  /** The bound type, in terms of the function's type parameters. */
  readonly type: Type | undefined
  /** Source of the schema. */
  readonly schema?: ParameterPath
}

/** All facts, in the order of the source. */
export interface FoundFacts {
  readonly reads: ValueRead[]
  readonly bodies: FoundBody[]
  readonly answers: FoundAnswer[]
  /** Security that middleware around a single handler declares. */
  readonly security: (readonly string[])[]
  readonly headers: SentHeader[]
  readonly medias: SetMedia[]
}

/** Returns an empty collection. */
export function createFoundFacts(): FoundFacts {
  return { reads: [], bodies: [], answers: [], security: [], headers: [], medias: [] }
}

/** Adds the facts of a function that is not called where it is named. */
export function addFacts(inner: FoundFacts, found: FoundFacts, scope: Scope): void {
  found.reads.push(...inner.reads)
  found.bodies.push(...limitToMethods(scope, inner.bodies))
  found.security.push(...inner.security)
  found.headers.push(...limitToMethods(scope, inner.headers))
  found.answers.push(...limitToMethods(scope, inner.answers))
}

/** The surroundings of a node in a function. */
export interface Scope {
  /** True if the function has type parameters, which its responses may use. */
  readonly isGeneric: boolean
  /** True if errors thrown here are caught. */
  readonly isCaught: boolean
  /** The methods with which it is reached. */
  readonly methods: Methods
}

/** Returns responses and headers with the methods that reach them. */
export function limitToMethods<A extends AnswerFacts | SentHeader | FoundBody>(
  { methods }: Scope,
  answers: readonly A[],
): A[] {
  if (methods === null) return [...answers]
  return answers.flatMap((answer) => {
    const reachableMethods = answer.methods?.filter((method) => methods.includes(method)) ?? methods
    return reachableMethods.length > 0 ? [{ ...answer, methods: reachableMethods }] : []
  })
}

/** A schema that validates a body, loaded with `--load`. */
export interface SchemaPlace {
  /** The file whose names the expression uses, relative to the project. */
  readonly file: string
  readonly expression: string
}
