/**
 * Generates code that checks and converts values without parts: texts, numbers, dates, files, literals and unions
 * of these.
 */
import type { TypeData } from "../openapi/document/model.ts"
import { isTextFormat } from "../openapi/types/text-formats.ts"
import { type AllData, listChecks } from "./checks.ts"
import { renderTemplateTest } from "./template-test.ts"
import { renderFormatTest, renderPatternTest, toSource } from "./text-tests.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

/** With more literals than this, they are looked up in a set. */
const maxComparisons = 6

/** Returns true for a type without parts. */
export function isLeaf(type: TypeData, file: ValidatorFile): boolean {
  const plain = file.resolvePlain(type)
  if (plain.kind === "union") return plain.members.every((member) => isLeaf(member, file))
  return plain.kind !== "object" && plain.kind !== "array" && plain.kind !== "tuple"
}

/**
 * Returns a condition for a type whose values need no conversion; null for a type that has parts or is converted.
 */
export function renderTest(type: TypeData, x: string, mode: InputMode, file: ValidatorFile): string | null {
  const plain = file.resolveName(type)
  switch (plain.kind) {
    case "all":
      return renderAllTest(plain, x, mode, file)
    case "any":
      return "true"
    case "never":
    case "nothing":
    case "bigint":
      return "false"
    case "null":
      return mode === "json" ? `${x} === null` : "false"
    case "string":
      return renderStringTest(plain, x, file)
    case "binary":
      return `${file.useHelper("isFile")}(${x})`
    case "literal":
      return mode === "json" || typeof plain.value === "string" ? `${x} === ${toSource(plain.value)}` : null
    case "union":
      return renderUnionTest(plain.members, x, mode, file)
    case "number":
    case "integer":
    case "boolean":
      return mode === "json" ? scalarTests[plain.kind](x) : null
    default:
      return null
  }
}

function renderAllTest(type: AllData, x: string, mode: InputMode, file: ValidatorFile): string | null {
  const tests = type.members.map((member) => renderTest(member, x, mode, file))
  if (tests.includes(null)) return null
  const limits = listChecks(type, { sent: x, result: x }, mode, file).map(({ test }) => test)
  return [...new Set([...tests, ...limits])].filter((test) => test !== "true").join(" && ") || "true"
}

const scalarTests = {
  number: (x: string) => `Number.isFinite(${x})`,
  integer: (x: string) => `Number.isInteger(${x})`,
  boolean: (x: string) => `typeof ${x} === "boolean"`,
} as const

function renderStringTest(type: Extract<TypeData, { kind: "string" }>, x: string, file: ValidatorFile): string {
  const { format, pattern, template } = type
  const checks = [`typeof ${x} === "string"`]
  if (template) checks.push(renderTemplateTest(template, x, file))
  else if (pattern) checks.push(renderPatternTest(pattern, x, file))
  if (format && isTextFormat(format)) checks.push(renderFormatTest(format, x, file))
  return checks.join(" && ")
}

function renderUnionTest(members: readonly TypeData[], x: string, mode: InputMode, file: ValidatorFile): string | null {
  const tests: string[] = []
  const literals: unknown[] = []
  for (const member of members) {
    const plain = file.resolveName(member)
    const test = renderTest(plain, x, mode, file)
    if (test === null) return null
    if (plain.kind === "literal") literals.push(plain.value)
    else tests.push(test)
  }
  if (literals.length > maxComparisons) tests.push(`${file.useConstant(`new Set(${toSource(literals)})`)}.has(${x})`)
  else tests.push(...literals.map((value) => `${x} === ${toSource(value)}`))
  return tests.length === 0
    ? "false"
    : tests.length === 1
      ? (tests[0] as string)
      : `(${tests.map(addParentheses).join(" || ")})`
}

function addParentheses(test: string): string {
  return test.includes(" && ") ? `(${test})` : test
}

/**
 * Returns an expression for the result of a value without parts. At run time, it is undefined if the value does not
 * match.
 */
export function renderLeafResult(
  type: TypeData,
  x: string,
  mode: InputMode,
  file: ValidatorFile,
  booleanHelper: "parseBoolean" | "parseFlag" = "parseFlag",
): string {
  const plain = file.resolveName(type)
  const test = renderTest(plain, x, mode, file)
  if (test !== null) return `(${test} ? ${x} : undefined)`
  switch (plain.kind) {
    case "all":
      return `${defineLimitedFunction(plain, mode, file)}(${x})`
    case "date":
      return `${file.useHelper(mode === "json" ? "parseDate" : "parseFormDate")}(${x})`
    case "integer-text":
      return `${file.useHelper("parseBigint")}(${x})`
    case "boolean":
      return `${file.useHelper(booleanHelper)}(${x})`
    case "literal": {
      const helper = file.useHelper(typeof plain.value === "number" ? "parseNumber" : booleanHelper)
      return `(${helper}(${x}) === ${toSource(plain.value)} ? ${toSource(plain.value)} : undefined)`
    }
    case "union":
      return `${defineUnionFunction(plain, mode, file)}(${x})`
    default:
      return `${file.useHelper("parseNumber")}(${x})`
  }
}

/** Returns the name of the function for a type that is converted and has limits. */
function defineLimitedFunction(type: AllData, mode: InputMode, file: ValidatorFile): string {
  return file.defineFunction(mode === "json" ? "t" : "f", type, (name) => {
    const [first, ...others] = type.members.map((member) => renderLeafResult(member, "v", mode, file))
    const checks = listChecks(type, { sent: "v", result: "y" }, mode, file).map(({ test }) => test)
    const failures = ["y === undefined", ...others.map((one) => `${one} === undefined`)]
    if (checks.length > 0) failures.push(`!(${checks.join(" && ")})`)
    return `function ${name}(v) {\n  const y = ${first}\n  return ${failures.join(" || ")} ? undefined : y\n}`
  })
}

/**
 * The order in which the members of a union try to convert a text. The most exact ones come first, so that a value
 * becomes a text only if nothing else matches.
 */
const conversionOrder: readonly TypeData["kind"][] = ["literal", "boolean", "integer", "number", "integer-text", "date"]

/** Returns the name of the function for a union without parts, some of whose members are converted. */
function defineUnionFunction(type: Extract<TypeData, { kind: "union" }>, mode: InputMode, file: ValidatorFile): string {
  return file.defineFunction(mode === "json" ? "t" : "f", type, (name) => {
    const members = type.members.map((member) => file.resolveName(member))
    const flat = members.flatMap((member) => (member.kind === "union" ? member.members : [member]))
    const isPlain = (member: TypeData) => renderTest(member, "v", mode, file) !== null
    const literals = flat.filter((member) => isPlain(member) && member.kind === "literal")
    const rank = (member: TypeData) => conversionOrder.indexOf(file.resolvePlain(member).kind)
    const converted = flat.filter((member) => !isPlain(member)).sort((a, b) => rank(a) - rank(b))
    const rest = flat.filter((member) => isPlain(member) && member.kind !== "literal")
    // If the union also has numbers or texts, "1" and "no" are not read as booleans.
    const booleanHelper =
      converted.length > 1 || rest.some(({ kind }) => kind !== "null") ? "parseBoolean" : "parseFlag"
    const lines = converted.map((member, i) => {
      const x = `x${i}`
      return `  const ${x} = ${renderLeafResult(member, "v", mode, file, booleanHelper)}\n  if (${x} !== undefined) return ${x}\n`
    })
    const renderReturn = (some: readonly TypeData[]) => {
      const test = some.length > 0 && renderUnionTest(some, "v", mode, file)
      return test ? `  if (${test}) return v\n` : ""
    }
    return `function ${name}(v) {\n${renderReturn(literals)}${lines.join("")}${renderReturn(rest)}  return undefined\n}`
  })
}
