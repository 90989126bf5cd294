/** The parts of the type reader that are needed to read calls. */
import type { Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { InputTypes } from "../input-types.ts"
import type { Shapes } from "../shapes.ts"

/** Reports something that could not be found out. */
export type Warn = (node: Node, message: string, fix: string) => void

/** The type reader, as the code that reads calls sees it. */
export interface CallReader {
  readonly program: TypeProgram
  readonly shapes: Shapes
  /** The types of what is read without a schema. */
  readonly inputs: InputTypes
  readonly warn: Warn
  /** Keeps the place of a schema, and returns its id. @param path the properties that lead from the node to it. */
  readonly addSchema: (node: Node, path: readonly string[]) => string
}

/** The type of a property. */
export function readPropertyType(name: string, type: Type, { program }: Pick<CallReader, "program">): Type | undefined {
  const property = program.checker.getPropertyOfType(type, name)
  return property && program.checker.getTypeOfSymbol(property)
}

/** Reports an unknown status. */
export function warnStatus(node: Node, { warn }: CallReader): void {
  const fix = "Write the status as a number, or give it a type that lists its values: status: 200 | 201."
  warn(node, "the status of this answer is known only when it is sent", fix)
}
