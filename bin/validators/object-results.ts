/** Source of the functions that check objects and return a copy with the declared properties. */
import type { PropertyData, TypeData } from "../../lib/openapi/model.ts"
import type { Mode, ValidatorFile } from "./file.ts"
import { fieldValue, plainProperty } from "./properties.ts"
import { templateTest } from "./template-test.ts"
import { patternTest, source } from "./text-tests.ts"

type ObjectData = Extract<TypeData, { kind: "object" }>

/** Writes the results of the parts of an object. */
interface Parts {
  readonly mode: Mode
  readonly file: ValidatorFile
  /** Returns an expression of the result of JSON. */
  converted(type: TypeData, json: string): string
  test(type: TypeData, x: string): string | null
  lines(type: TypeData, names: readonly [string, string]): string[]
}

/** A property, and the names of its value and its result, which may be the same. */
interface Field {
  readonly property: PropertyData
  readonly x: string
  readonly y: string
}

/** Returns the body of the function of an object. */
export function objectLines(type: ObjectData, parts: Parts): string[] {
  const fields = type.properties.map((property, i): Field => {
    const isConverted = parts.test(property.type, "x") === null
    return { property, x: `x${i}`, y: isConverted ? `y${i}` : `x${i}` }
  })
  const present = fields.filter(({ property }) => property.type.kind !== "never")
  const always = present.filter(({ property }) => !property.optional || property.default)
  const maybe = present.filter(({ property }) => property.optional && !property.default)
  return [
    'if (typeof v !== "object" || v === null || Array.isArray(v)) return undefined',
    ...fields.flatMap((field) => fieldLines(field, parts)),
    `const out = { ${always.map(({ property, y }) => `${key(property.name)}: ${y}`).join(", ")} }`,
    ...maybe.map(({ y, property }) => `if (${y} !== undefined) ${assignment(property.name, y, parts)}`),
    ...restLines(type, parts),
    "return out",
  ]
}

/** In a literal, `__proto__: x` would set the prototype. */
function key(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : source(name)
}

function assignment(name: string, y: string, { file }: Parts): string {
  return name === "__proto__"
    ? `${file.helper("put")}(out, "__proto__", ${y})`
    : `${plainProperty("out", name)} = ${y}`
}

function fieldLines({ property, x, y }: Field, parts: Parts): string[] {
  const { mode, file } = parts
  const { type, optional } = property
  const read = fieldValue(property, mode, file)
  if (type.kind === "never")
    return optional ? [`if (${read} !== undefined) return undefined`] : ["return undefined"]
  const lines = parts.lines(type, [x, y])
  if (!optional) {
    const isAny = parts.test(type, x) === "true"
    return [`const ${x} = ${read}`, ...(isAny ? [`if (${x} === undefined) return undefined`] : []), ...lines]
  }
  const filled = property.default && `${y} = ${parts.converted(type, source(property.default.value))}`
  const declared =
    x === y ? [`${filled ? "let" : "const"} ${x} = ${read}`] : [`const ${x} = ${read}`, `let ${y}`]
  if (lines.length === 0) return [...declared, ...(filled ? [`if (${x} === undefined) ${filled}`] : [])]
  const inner = lines.map((line) => `  ${line.replace(/^const /, "")}`)
  return [...declared, `if (${x} !== undefined) {`, ...inner, filled ? `} else ${filled}` : "}"]
}

/** Returns the lines that copy the properties of index signatures. */
function restLines({ properties, values, patterns = [] }: ObjectData, parts: Parts): string[] {
  if (!values && patterns.length === 0) return []
  const { mode, file } = parts
  const put = file.helper("put")
  const declared = properties.map(({ name }) => name)
  const skip =
    declared.length > 0 ? [`if (${file.constant(`new Set(${source(declared)})`)}.has(k)) continue`] : []
  const absent = mode === "text" ? ["if (x === undefined) continue"] : []
  const read = mode === "json" ? "v[k]" : `${file.helper("field")}(v[k])`
  const body = [...skip, `const x = ${read}`, ...absent]
  if (patterns.length > 0) body.push("let made")
  for (const { pattern, template, type } of patterns) {
    const test = template ? templateTest(template, "k", file) : patternTest(pattern, "k", file)
    const { lines, result } = valueLines(type, parts)
    // A key may match several patterns, and its value then has all their types.
    const joined = patterns.length > 1 ? `${file.helper("both")}(made, ${result})` : result
    body.push(`if (${test}) {`, ...lines.map((line) => `  ${line}`), `  made = ${joined}`, "}")
  }
  const { lines, result } = values ? valueLines(values, parts) : { lines: [], result: "" }
  const other = values ? [...lines, `${put}(out, k, ${result})`] : []
  if (patterns.length > 0) body.push(`if (made !== undefined) {`, `  ${put}(out, k, made)`, "  continue", "}")
  return ["for (const k of Object.keys(v)) {", ...[...body, ...other].map((line) => `  ${line}`), "}"]
}

function valueLines(type: TypeData, parts: Parts): { lines: string[]; result: string } {
  const isList = parts.mode === "text" && parts.file.resolved(type).kind === "array"
  const x = isList ? "(Array.isArray(x) ? x : [x])" : "x"
  return { lines: parts.lines(type, [x, "y"]), result: parts.test(type, x) === null ? "y" : x }
}
