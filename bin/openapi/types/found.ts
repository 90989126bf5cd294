/** What is being gathered of one function while its source is read. Filled by `calls.ts` and `facts.ts`. */
import type { Answer, BodyRead, Read, SentHeader } from "../../../lib/openapi/model.ts"
import type { Node, Type } from "../../tools/typescript/program.ts"
import type { Methods } from "./methods.ts"
import type { ParameterPath } from "./parameters.ts"

/** An answer, and whether its type speaks of a type parameter of the function that makes it. */
export interface FoundAnswer extends Answer {
  readonly generic?: true
}

/** A body that is read, the call that reads it, and what its type depends on. */
export type FoundBody = BodyRead & { readonly at?: Node; readonly open?: OpenBody }

/** What a call of the function that binds a body has to tell. */
export interface OpenBody {
  /** What is bound, in terms of the function's type parameters. */
  readonly type: Type | undefined
  /** Where the schema comes from. */
  readonly schema?: ParameterPath
}

/** Everything, in the order of the source. */
export interface Found {
  readonly reads: Read[]
  readonly bodies: FoundBody[]
  readonly answers: FoundAnswer[]
  /** What middleware around a single handler declares. */
  readonly security: (readonly string[])[]
  readonly headers: SentHeader[]
}

/** Nothing yet. */
export function nothingFound(): Found {
  return { reads: [], bodies: [], answers: [], security: [], headers: [] }
}

/** Where in a function a node stands. */
export interface Scope {
  /** The function has type parameters: what it answers with may be one. */
  readonly generic: boolean
  /** An error that is thrown here does not get out. */
  readonly caught: boolean
  /** The methods by which it is reached. */
  readonly methods: Methods
}

/** Answers and headers as they are given where they stand: by the methods that get there. */
export function answersIn<A extends Answer | SentHeader>({ methods }: Scope, answers: readonly A[]): A[] {
  if (methods === null) return [...answers]
  return answers.flatMap((answer) => {
    const both = answer.methods?.filter((method) => methods.includes(method)) ?? methods
    return both.length > 0 ? [{ ...answer, methods: both }] : []
  })
}

/** A schema that a body is validated by, to be loaded by `--load`. */
export interface SchemaPlace {
  /** The file whose names the expression uses, relative to the project. */
  readonly file: string
  readonly expression: string
}
