/** Generates the functions that list everything that is wrong with a value, after it was refused. */
import type { PropertyData, TypeData } from "../openapi/document/model.ts"
import { type AllData, type Check, listChecks } from "./checks.ts"
import { describeType, formatList } from "./describe-type.ts"
import { isLeaf, renderLeafResult, renderTest } from "./leaves.ts"
import { renderFieldValue, renderProperty } from "./properties.ts"
import { indentLines, type ResultWriter } from "./result-writer.ts"
import { renderTemplateTest } from "./template-test.ts"
import { renderPatternTest, toSource } from "./text-tests.ts"
import { chooseDiscriminator, groupMembers } from "./union-members.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

type UnionData = Extract<TypeData, { kind: "union" }>

/** Generates the functions that list issues: for JSON, or for texts of forms and queries. */
export class IssueWriter {
  readonly #results: ResultWriter
  readonly #mode: InputMode
  readonly #file: ValidatorFile

  constructor(results: ResultWriter) {
    this.#results = results
    this.#mode = results.mode
    this.#file = results.file
  }

  /** Returns the name of the function that reports the issues of a value. */
  defineFunction(type: TypeData): string {
    const file = this.#file
    return file.defineFunction(this.#mode === "json" ? "w" : "g", type, (name) => {
      const isDeep = file.isDeep(type) && !isLeaf(type, file)
      const plain = file.resolveName(type)
      const end = () => `return ${file.useHelper("failTooDeep")}(o, p)`
      const lines = [...file.listDepthLines(plain, isDeep, end), ...this.#renderLines(plain, type)]
      return `function ${name}(v, p, o${isDeep ? ", d" : ""}) {\n${lines.map((line) => `  ${line}\n`).join("")}}`
    })
  }

  /**
   * Returns a statement that reports the issues of a part.
   *
   * @param depth code for the number of lists and objects around it.
   */
  #renderCall(type: TypeData, x: string, depth = "d + 1"): string {
    return `${this.defineFunction(type)}(${x}, p, o${this.#file.isDeep(type) ? `, ${depth}` : ""})`
  }

  #renderFail(expected: string, x = "v"): string {
    return `${this.#file.useHelper("fail")}(o, p, ${renderBeginning(expected)}, ${x})`
  }

  #renderMiss(key: string, expected: string, x: string): string {
    this.#file.useHelper("fail")
    return `miss(o, p, ${key}, ${renderBeginning(expected)}, ${x})`
  }

  #renderLines(plain: TypeData, type: TypeData): string[] {
    if (isLeaf(plain, this.#file)) return this.#renderLeaf(type, "v", (expected, x) => this.#renderFail(expected, x))
    if (plain.kind === "object") return this.#renderObject(plain)
    if (plain.kind === "array") return [this.#renderArrayCheck(), ...this.#renderItems(plain.items, "0", "v.length")]
    if (plain.kind === "tuple") return this.#renderTuple(plain)
    return plain.kind === "all" ? this.#renderIntersection(plain) : this.#renderUnion(plain as UnionData, type)
  }

  /**
   * Returns lines that report the issues of a value without parts. Limits are checked only if its type is right.
   */
  #renderLeaf(type: TypeData, x: string, report: (expected: string, x: string) => string): string[] {
    const [bare, limits] = this.#splitLimits(type)
    const expected = describeType(type, this.#file)
    const isNumberText = this.#mode === "text" && /^(?:an integer|-?\d)/.test(expected)
    const failure = report(expected, isNumberText ? `${this.#file.useHelper("parseNumber")}(${x}) ?? ${x}` : x)
    const test = renderTest(bare, x, this.#mode, this.#file)
    const resultSource = renderLeafResult(bare, x, this.#mode, this.#file)
    if (limits.length === 0)
      return test === "true"
        ? []
        : [`if (${test === null ? `${resultSource} === undefined` : `!(${test})`}) ${failure}`]
    // A number that was sent as text is shown as a number.
    const isNumber = /^(?:number|integer|integer-text|bigint)$/.test(this.#file.resolveName(bare).kind)
    const checks = (result: string) =>
      limits
        .flatMap((one) => listChecks(one, { sent: x, result }, this.#mode, this.#file))
        .map(({ test, expected }: Check) => `if (!(${test})) ${report(expected, isNumber ? result : x)}`)
    if (test !== null) return [`if (!(${test})) ${failure}`, "else {", ...indentLines(checks(x)), "}"]
    const lines = [
      `const y = ${resultSource}`,
      `if (y === undefined) ${failure}`,
      "else {",
      ...indentLines(checks("y")),
      "}",
    ]
    return ["{", ...indentLines(lines), "}"]
  }

  /** Separates a type from its limits. */
  #splitLimits(type: TypeData): readonly [bare: TypeData, limits: readonly AllData[]] {
    const plain = this.#file.resolveName(type)
    const [only, ...others] = plain.kind === "all" ? plain.members : []
    if (plain.kind !== "all" || !only) return [type, []]
    if (others.length > 0) return [{ kind: "all", members: plain.members }, [plain]]
    const [bare, limits] = this.#splitLimits(only)
    return [bare, [...limits, plain]]
  }

  /**
   * Returns the lines for a type with limits. Limits are checked after the parts, so that parts are not visited
   * twice.
   */
  #renderIntersection(type: AllData): string[] {
    const parts = type.members.map((member) => this.#renderCall(member, "v", "d"))
    const checks = listChecks(type, { sent: "v", result: "v" }, this.#mode, this.#file)
    const listTest = this.#file.resolvePlain(type).kind !== "union" ? "Array.isArray(v) && " : ""
    return [...parts, ...checks.map(({ test, expected }) => `if (${listTest}!(${test})) ${this.#renderFail(expected)}`)]
  }

  #renderArrayCheck(): string {
    return `if (!Array.isArray(v)) return ${this.#renderFail("an array")}`
  }

  #renderItems(type: TypeData, from: string, to: string): string[] {
    this.#file.useHelper("fail")
    const renderLoop = (...body: string[]) => [
      `for (let i = ${from}; i < ${to} && !isFull(o); i++) {`,
      ...indentLines(body),
      "}",
    ]
    if (isLeaf(type, this.#file)) return renderLoop(...this.#renderPart(type, "i", "v[i]"))
    // All items share one key in the path, because most of them have no issue.
    return ["p.push(0)", ...renderLoop("p[p.length - 1] = i", this.#renderCall(type, "v[i]")), "p.pop()"]
  }

  /** Returns lines that report the issues of a part with a key. */
  #renderPart(type: TypeData, key: string, x: string): string[] {
    if (isLeaf(type, this.#file))
      return this.#renderLeaf(type, x, (expected, value) => this.#renderMiss(key, expected, value))
    return [`p.push(${key})`, this.#renderCall(type, x), "p.pop()"]
  }

  #renderTuple({ items, rest, tail = [] }: Extract<TypeData, { kind: "tuple" }>): string[] {
    const minLength = items.filter(({ optional }) => !optional).length + tail.length
    const sizes = [
      ...(minLength > 0 ? [`v.length < ${minLength}`] : []),
      ...(rest ? [] : [`v.length > ${items.length}`]),
    ]
    const count = rest
      ? `at least ${minLength}`
      : minLength === items.length
        ? `${minLength}`
        : `${minLength} to ${items.length}`
    const lines = [this.#renderArrayCheck()]
    if (sizes.length > 0)
      lines.push(
        `if (${sizes.join(" || ")}) return ${this.#renderFail(`an array with ${count} ${count === "1" || count === "at least 1" ? "item" : "items"}`)}`,
      )
    for (const [i, { type, optional }] of items.entries())
      lines.push(
        optional ? `if (v.length > ${i}) {` : "{",
        ...indentLines(this.#renderPart(type, String(i), `v[${i}]`)),
        "}",
      )
    if (rest)
      lines.push(
        ...this.#renderItems(rest, String(items.length), tail.length > 0 ? `v.length - ${tail.length}` : "v.length"),
      )
    for (const [i, type] of tail.entries())
      lines.push(
        "{",
        ...indentLines(this.#renderPart(type, `v.length - ${tail.length - i}`, `v[v.length - ${tail.length - i}]`)),
        "}",
      )
    return lines
  }

  #renderObject({ properties, values, patterns = [] }: Extract<TypeData, { kind: "object" }>): string[] {
    const lines = [
      `if (typeof v !== "object" || v === null || Array.isArray(v)) return ${this.#renderFail("an object")}`,
      "let x",
    ]
    for (const property of properties) lines.push(...this.#renderProperty(property))
    if (!values && patterns.length === 0) return lines
    const file = this.#file
    const names = properties.map(({ name }) => name)
    const body = names.length > 0 ? [`if (${file.useConstant(`new Set(${toSource(names)})`)}.has(k)) continue`] : []
    body.push(this.#mode === "json" ? "x = v[k]" : `x = ${file.useHelper("field")}(v[k])`)
    if (this.#mode === "text") body.push("if (x === undefined) continue")
    body.push(...(patterns.length > 0 ? ["let isKnown = false"] : []))
    for (const { pattern, template, type } of patterns) {
      const test = template ? renderTemplateTest(template, "k", file) : renderPatternTest(pattern, "k", file)
      body.push(`if (${test}) {`, "  isKnown = true", ...indentLines(this.#renderValue(type, "k")), "}")
    }
    if (values) body.push(...(patterns.length > 0 ? ["if (isKnown) continue"] : []), ...this.#renderValue(values, "k"))
    return [...lines, "for (const k of Object.keys(v)) {", "  if (isFull(o)) return", ...indentLines(body), "}"]
  }

  /** Returns lines that report the issues of `x` with a key. */
  #renderValue(type: TypeData, key: string): string[] {
    const isList = this.#mode === "text" && this.#file.resolvePlain(type).kind === "array"
    return this.#renderPart(type, key, isList ? "(Array.isArray(x) ? x : [x])" : "x")
  }

  #renderProperty(property: PropertyData): string[] {
    const { name, type, optional } = property
    const key = toSource(name)
    const read = `x = ${renderFieldValue(property, this.#mode, this.#file)}`
    const body = this.#renderValue(type, key)
    if (optional) return [read, "if (x !== undefined) {", ...indentLines(body), "}"]
    const missing = this.#renderMiss(key, describeType(type, this.#file), "x")
    return [read, `if (x === undefined) ${missing}`, "else {", ...indentLines(body), "}"]
  }

  #renderUnion(plain: UnionData, type: TypeData): string[] {
    const file = this.#file
    const { leaves, lists, objects } = groupMembers(plain, file)
    const lines: string[] = []
    if (leaves.length > 0)
      lines.push(`if (${this.#results.renderResult({ kind: "union", members: leaves }, "v")} !== undefined) return`)
    if (lists.length > 0) lines.push("if (Array.isArray(v)) {", ...indentLines(this.#renderMembers(lists, type)), "}")
    if (objects.length > 0) {
      const discriminator = chooseDiscriminator(objects, this.#mode, file)
      const body = discriminator ? this.#renderSwitch(discriminator, objects) : this.#renderMembers(objects, type)
      lines.push(`if (typeof v === "object" && v !== null && !Array.isArray(v)) {`, ...indentLines(body), "}")
    }
    return [...lines, this.#renderFail(describeType(type, file))]
  }

  #renderMembers(members: readonly TypeData[], type: TypeData): string[] {
    const [only] = members
    if (members.length === 1 && only) return [`return ${this.#renderCall(only, "v", "d")}`]
    const kind = this.#file.resolvePlain(members[0] as TypeData).kind === "object" ? "an object" : "an array"
    const fitTest = `${this.#results.renderResult(type, "v", "d")} !== undefined`
    return [`if (${fitTest}) return`, `return ${this.#renderFail(`${kind} of one of ${members.length} types`)}`]
  }

  #renderSwitch(
    { name, values }: NonNullable<ReturnType<typeof chooseDiscriminator>>,
    objects: readonly TypeData[],
  ): string[] {
    const cases = objects.map((type, i) => {
      const labels = (values[i] ?? []).map((value) => `case ${toSource(value)}:`).join(" ")
      return `  ${labels} return ${this.#renderCall(type, "v", "d")}`
    })
    const words = formatList(values.flat().map((value) => toSource(value)))
    const read = renderProperty("v", name, this.#mode, this.#file)
    return [`switch (${read}) {`, ...cases, "}", `return ${this.#renderMiss(toSource(name), words, read)}`]
  }
}

/** Returns the code of a message without its last words. A constant is faster than joining texts at run time. */
function renderBeginning(expected: string): string {
  return toSource(`expected ${expected}, got `)
}
