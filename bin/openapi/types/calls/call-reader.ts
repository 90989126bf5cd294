/** What all functions that read calls use. */
import type { Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { InputTypes } from "../input-types.ts"
import type { Shapes } from "../shapes.ts"

/** Reports a problem at a node. */
export type Warn = (node: Node, message: string, fix: string) => void

/** The program, the converters of types, and the functions that receive what is found besides the facts. */
export interface CallReader {
  readonly program: TypeProgram
  readonly shapes: Shapes
  /** Converts types of requests that are bound without a schema. */
  readonly inputs: InputTypes
  readonly warn: Warn
  /**
   * Stores the position of a schema and returns its id.
   *
   * @param path the properties that lead from the node to the schema.
   */
  readonly addSchema: (node: Node, path: readonly string[]) => string
}

/** Returns the type of a property; undefined if the type does not have it. */
export function readPropertyType(name: string, type: Type, { program }: Pick<CallReader, "program">): Type | undefined {
  const property = program.checker.getPropertyOfType(type, name)
  return property && program.checker.getTypeOfSymbol(property)
}

/** Reports a status that cannot be known from the source. */
export function warnStatus(node: Node, { warn }: CallReader): void {
  const fix = "Write the status as a number, or give it a type that lists its values: status: 200 | 201."
  warn(node, "the status of this answer is known only when it is sent", fix)
}
