/** The JSON of objects that runtimes provide. */

import type { Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { TypeData } from "../document/model.ts"
import { isRuntimeSymbol } from "./syntax-of-types.ts"

const stringType: TypeData = { kind: "string" }
const emptyObject: TypeData = { kind: "object", properties: [] }
const numbersObject: TypeData = { kind: "object", properties: [], values: { kind: "number" } }
const binaryType: TypeData = { kind: "binary" }

/** Types by the name of the interface. JSON.stringify writes `{}` for those with "empty". */
const builtInTypes: ReadonlyMap<string, TypeData | "empty"> = new Map<string, TypeData | "empty">([
  ["Date", { kind: "string", format: "date-time" }],
  ["URL", { kind: "string", format: "uri" }],
  ["String", stringType],
  ["Number", { kind: "number" }],
  ["Boolean", { kind: "boolean" }],
  ["BigInt", { kind: "bigint" }],
  ["Symbol", { kind: "nothing" }],
  ["Function", { kind: "nothing" }],
  ["Object", { kind: "any" }],
  ["File", binaryType],
  ["Blob", binaryType],
  ["ReadableStream", binaryType],
  ...[
    "Map",
    "ReadonlyMap",
    "Set",
    "ReadonlySet",
    "WeakMap",
    "WeakSet",
    "WeakRef",
    "Promise",
    "RegExp",
    "Error",
    "ArrayBuffer",
    "SharedArrayBuffer",
    "URLSearchParams",
    "Headers",
    "FormData",
    "Request",
    "Response",
  ].map((name) => [name, "empty"] as const),
  ...["Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32", "Float32", "Float64"].map(
    (name) => [`${name}Array`, numbersObject] as const,
  ),
])

/**
 * Returns the JSON of a type of the runtime, with a warning if it may surprise the developer. Returns null for any
 * other type.
 */
export function findBuiltInType(type: Type, program: TypeProgram): { type: TypeData; warning?: string } | null {
  const symbol = type.getSymbol()
  const data = symbol && builtInTypes.get(symbol.name)
  if (!symbol || !data || !isProvided(type, symbol, program)) return null
  if (data !== "empty") return { type: data }
  return { type: emptyObject, warning: `JSON makes {} of a value of type ${symbol.name}` }
}

/** Returns false for a type of a project or package that only has the same name, such as Request or File. */
function isProvided(type: Type, symbol: TypeSymbol, program: TypeProgram): boolean {
  if (isRuntimeSymbol(symbol)) return true
  if (symbol.declarations.some(({ path }) => program.isOwn(path))) return false
  // Packages for several runtimes extend the global type if it exists: `interface File extends …`.
  return program.checker.getPropertiesOfType(type).some(isRuntimeSymbol)
}
