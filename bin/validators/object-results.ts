/** Generates the functions that check objects and return copies with the declared properties. */
import type { PropertyData, TypeData } from "../openapi/document/model.ts"
import { renderAccess, renderFieldValue } from "./properties.ts"
import { renderTemplateTest } from "./template-test.ts"
import { renderPatternTest, toSource } from "./text-tests.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

type ObjectData = Extract<TypeData, { kind: "object" }>

/** Functions that generate code for the parts of an object. */
interface ResultParts {
  readonly mode: InputMode
  readonly file: ValidatorFile
  /** Returns an expression for the result of a value in JSON. */
  renderDefault(type: TypeData, json: string): string
  renderCondition(type: TypeData, x: string): string | null
  renderLines(type: TypeData, names: readonly [string, string]): string[]
}

/** A property, and the names of the variables for its value and its result, which may be the same. */
interface Field {
  readonly property: PropertyData
  readonly x: string
  readonly y: string
}

/** Returns the body of the function for an object type. */
export function renderObject(type: ObjectData, parts: ResultParts): string[] {
  const fields = type.properties.map((property, i): Field => {
    const isConverted = parts.renderCondition(property.type, "x") === null
    return { property, x: `x${i}`, y: isConverted ? `y${i}` : `x${i}` }
  })
  const declaredFields = fields.filter(({ property }) => property.type.kind !== "never")
  const requiredFields = declaredFields.filter(({ property }) => !property.optional || property.default)
  const optionalFields = declaredFields.filter(({ property }) => property.optional && !property.default)
  return [
    'if (typeof v !== "object" || v === null || Array.isArray(v)) return undefined',
    ...fields.flatMap((field) => renderField(field, parts)),
    `const out = { ${requiredFields.map(({ property, y }) => `${renderKey(property.name)}: ${y}`).join(", ")} }`,
    ...optionalFields.map(({ y, property }) => `if (${y} !== undefined) ${renderAssignment(property.name, y, parts)}`),
    ...renderRest(type, parts),
    "return out",
  ]
}

/** Returns the code of a key. In an object literal, `__proto__: x` would set the prototype. */
function renderKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : toSource(name)
}

function renderAssignment(name: string, y: string, { file }: ResultParts): string {
  return name === "__proto__"
    ? `${file.useHelper("put")}(out, "__proto__", ${y})`
    : `${renderAccess("out", name)} = ${y}`
}

function renderField({ property, x, y }: Field, parts: ResultParts): string[] {
  const { mode, file } = parts
  const { type, optional } = property
  const read = renderFieldValue(property, mode, file)
  if (type.kind === "never") return optional ? [`if (${read} !== undefined) return undefined`] : ["return undefined"]
  const lines = parts.renderLines(type, [x, y])
  if (!optional) {
    const isAny = parts.renderCondition(type, x) === "true"
    return [`const ${x} = ${read}`, ...(isAny ? [`if (${x} === undefined) return undefined`] : []), ...lines]
  }
  const defaultAssignment = property.default && `${y} = ${parts.renderDefault(type, toSource(property.default.value))}`
  const declared =
    x === y ? [`${defaultAssignment ? "let" : "const"} ${x} = ${read}`] : [`const ${x} = ${read}`, `let ${y}`]
  if (lines.length === 0)
    return [...declared, ...(defaultAssignment ? [`if (${x} === undefined) ${defaultAssignment}`] : [])]
  const inner = lines.map((line) => `  ${line.replace(/^const /, "")}`)
  return [...declared, `if (${x} !== undefined) {`, ...inner, defaultAssignment ? `} else ${defaultAssignment}` : "}"]
}

/** Returns the lines that copy the properties of index signatures. */
function renderRest({ properties, values, patterns = [] }: ObjectData, parts: ResultParts): string[] {
  if (!values && patterns.length === 0) return []
  const { mode, file } = parts
  const put = file.useHelper("put")
  const declared = properties.map(({ name }) => name)
  const skip = declared.length > 0 ? [`if (${file.useConstant(`new Set(${toSource(declared)})`)}.has(k)) continue`] : []
  const absent = mode === "text" ? ["if (x === undefined) continue"] : []
  const read = mode === "json" ? "v[k]" : `${file.useHelper("field")}(v[k])`
  const body = [...skip, `const x = ${read}`, ...absent]
  if (patterns.length > 0) body.push("let made")
  for (const { pattern, template, type } of patterns) {
    const test = template ? renderTemplateTest(template, "k", file) : renderPatternTest(pattern, "k", file)
    const { lines, result } = renderValue(type, parts)
    // A key may match several patterns. Its value must then have all their types.
    const combinedResult = patterns.length > 1 ? `${file.useHelper("combine")}(made, ${result})` : result
    body.push(`if (${test}) {`, ...lines.map((line) => `  ${line}`), `  made = ${combinedResult}`, "}")
  }
  const { lines, result } = values ? renderValue(values, parts) : { lines: [], result: "" }
  const other = values ? [...lines, `${put}(out, k, ${result})`] : []
  if (patterns.length > 0) body.push(`if (made !== undefined) {`, `  ${put}(out, k, made)`, "  continue", "}")
  return ["for (const k of Object.keys(v)) {", ...[...body, ...other].map((line) => `  ${line}`), "}"]
}

function renderValue(type: TypeData, parts: ResultParts): { lines: string[]; result: string } {
  const isList = parts.mode === "text" && parts.file.resolvePlain(type).kind === "array"
  const x = isList ? "(Array.isArray(x) ? x : [x])" : "x"
  return {
    lines: parts.renderLines(type, [x, "y"]),
    result: parts.renderCondition(type, x) === null ? "y" : x,
  }
}
