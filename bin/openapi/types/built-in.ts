/** The JSON of objects that a runtime provides. */
import type { TypeData } from "../../../lib/openapi/model.ts"
import type { Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import { isOfRuntime } from "./syntax-of-types.ts"

const string: TypeData = { kind: "string" }
const empty: TypeData = { kind: "object", properties: [] }
const numbers: TypeData = { kind: "object", properties: [], values: { kind: "number" } }
const binary: TypeData = { kind: "binary" }

/** By the name of the interface. Those marked empty have nothing that JSON.stringify includes. */
const made: ReadonlyMap<string, TypeData | "empty"> = new Map<string, TypeData | "empty">([
  ["Date", { kind: "string", format: "date-time" }],
  ["URL", { kind: "string", format: "uri" }],
  ["String", string],
  ["Number", { kind: "number" }],
  ["Boolean", { kind: "boolean" }],
  ["BigInt", { kind: "bigint" }],
  ["Symbol", { kind: "nothing" }],
  ["Function", { kind: "nothing" }],
  ["Object", { kind: "any" }],
  ["File", binary],
  ["Blob", binary],
  ["ReadableStream", binary],
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
    (name) => [`${name}Array`, numbers] as const,
  ),
])

/** Returns the JSON of a type of the runtime, with a warning if it may surprise; null for any other type. */
export function builtIn(type: Type, program: TypeProgram): { type: TypeData; warning?: string } | null {
  const symbol = type.getSymbol()
  const data = symbol && made.get(symbol.name)
  if (!symbol || !data || !isProvided(type, symbol, program)) return null
  if (data !== "empty") return { type: data }
  return { type: empty, warning: `JSON makes {} of a value of type ${symbol.name}` }
}

/** Returns false for the types of projects and packages that are also called Request or File. */
function isProvided(type: Type, symbol: TypeSymbol, program: TypeProgram): boolean {
  if (isOfRuntime(symbol)) return true
  if (symbol.declarations.some(({ path }) => program.isOwn(path))) return false
  // A package that runs everywhere takes it from globalThis, if it is there: `interface File extends …`.
  return program.checker.getPropertiesOfType(type).some(isOfRuntime)
}
