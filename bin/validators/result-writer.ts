/**
 * Generates the functions that check a value and return the result: a converted copy with the declared properties.
 */
import type { TypeData } from "../openapi/document/model.ts"
import { type AllData, listChecks } from "./checks.ts"
import { isLeaf, renderLeafResult, renderTest } from "./leaves.ts"
import { renderObject } from "./object-results.ts"
import { renderProperty } from "./properties.ts"
import { toSource } from "./text-tests.ts"
import { chooseDiscriminator, groupMembers } from "./union-members.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

type ArrayData = Extract<TypeData, { kind: "array" }>
type TupleData = Extract<TypeData, { kind: "tuple" }>
type UnionData = Extract<TypeData, { kind: "union" }>

/** The names of the variables for a value and its result. */
export type VariableNames = readonly [value: string, result: string]

/** Generates the functions that check and convert values: in JSON, or in texts of forms and queries. */
export class ResultWriter {
  readonly mode: InputMode
  readonly file: ValidatorFile

  constructor(mode: InputMode, file: ValidatorFile) {
    this.mode = mode
    this.file = file
  }

  /**
   * Returns an expression for the result of a value. At run time, it is undefined if the value does not match.
   *
   * @param depth code for the number of lists and objects around it.
   */
  renderResult(type: TypeData, x: string, depth = "d + 1"): string {
    const { file, mode } = this
    if (isLeaf(type, file)) return renderLeafResult(type, x, mode, file)
    return `${this.defineFunction(type)}(${x}${file.isDeep(type) ? `, ${depth}` : ""})`
  }

  /** Returns an expression for the result of a value in JSON, such as a default. */
  renderDefault(type: TypeData, json: string): string {
    const results = this.mode === "json" ? this : new ResultWriter("json", this.file)
    return results.renderCondition(type, "x") === null ? results.renderResult(type, json, "0") : json
  }

  /** Returns a condition if values of the type need no conversion; null otherwise. */
  renderCondition(type: TypeData, x: string): string | null {
    return renderTest(type, x, this.mode, this.file)
  }

  /** Returns the name of the function for a type with parts. */
  defineFunction(type: TypeData): string {
    const { file } = this
    return file.defineFunction(this.mode === "json" ? "t" : "f", type, (name) => {
      const isDeep = file.isDeep(type)
      const plain = file.resolveName(type)
      const lines = [
        ...file.listDepthLines(plain, isDeep, () => "return undefined"),
        ...this.#renderBody(plain, isDeep),
      ]
      return `function ${name}(v${isDeep ? ", d" : ""}) {\n${lines.map((line) => `  ${line}\n`).join("")}}`
    })
  }

  #renderBody(type: TypeData, isDeep: boolean): string[] {
    if (type.kind === "object") return renderObject(type, this)
    if (type.kind === "array") return this.#renderArray(type)
    if (type.kind === "all") return this.#renderIntersection(type)
    return type.kind === "tuple" ? this.#renderTuple(type) : this.#renderUnion(type as UnionData, isDeep)
  }

  /** Returns lines that set the result of a value, or return if it does not match. */
  renderLines(type: TypeData, [x, y]: VariableNames): string[] {
    const test = this.renderCondition(type, x)
    if (test !== null) return test === "true" ? [] : [`if (!(${test})) return undefined`]
    return [`const ${y} = ${this.renderResult(type, x)}`, `if (${y} === undefined) return undefined`]
  }

  /**
   * Returns lines for an intersection, which return the properties that its members declare, if the value is within
   * the limits.
   */
  #renderIntersection(type: AllData): string[] {
    const checks = listChecks(type, { sent: "v", result: "y0" }, this.mode, this.file)
    const results = type.members.flatMap((member, i) => [
      `const y${i} = ${this.renderResult(member, "v", "d")}`,
      `if (y${i} === undefined) return undefined`,
    ])
    const variables = type.members.map((_, i) => `y${i}`)
    const intersection = variables.reduce((one, other) => `${this.file.useHelper("combine")}(${one}, ${other})`)
    return [...results, ...checks.map(({ test }) => `if (!(${test})) return undefined`), `return ${intersection}`]
  }

  #renderArray({ items }: ArrayData): string[] {
    const test = this.renderCondition(items, "x")
    const head = "if (!Array.isArray(v)) return undefined"
    if (test === "true") return [head, "return v.slice()"]
    const loop = "for (let i = 0; i < out.length; i++) {"
    const body =
      test === null
        ? [`const x = ${this.renderResult(items, "out[i]")}`, "if (x === undefined) return undefined", "out[i] = x"]
        : ["const x = out[i]", `if (!(${test})) return undefined`]
    return [head, "const out = v.slice()", loop, ...indentLines(body), "}", "return out"]
  }

  #renderTuple({ items, rest, tail = [] }: TupleData): string[] {
    const minLength = items.filter(({ optional }) => !optional).length + tail.length
    const sizes = [
      ...(minLength > 0 ? [`v.length < ${minLength}`] : []),
      ...(rest ? [] : [`v.length > ${items.length}`]),
    ]
    const lines = [`if (${["!Array.isArray(v)", ...sizes].join(" || ")}) return undefined`, "const out = []"]
    const renderItem = (type: TypeData, at: string) => [
      `  const x = v[${at}]`,
      ...indentLines(this.renderLines(type, ["x", "y"])),
      `  out.push(${this.renderCondition(type, "x") === null ? "y" : "x"})`,
      "}",
    ]
    for (const [i, { type, optional }] of items.entries())
      lines.push(optional ? `if (v.length > ${i}) {` : "{", ...renderItem(type, String(i)))
    const end = tail.length > 0 ? `v.length - ${tail.length}` : "v.length"
    if (rest) lines.push(`for (let i = ${items.length}; i < ${end}; i++) {`, ...renderItem(rest, "i"))
    for (const [i, type] of tail.entries()) lines.push("{", ...renderItem(type, `v.length - ${tail.length - i}`))
    return [...lines, "return out"]
  }

  #renderUnion(type: UnionData, isDeep: boolean): string[] {
    const { leaves, lists, objects } = groupMembers(type, this.file)
    const lines = this.#renderLeaves(leaves)
    const discriminator = chooseDiscriminator(objects, this.mode, this.file)
    // Several members may visit the same parts, again at each level, which could take exponential time. So their
    // results are remembered.
    const mayRepeat = isDeep && (lists.length > 1 || (objects.length > 1 && !discriminator))
    const memo = mayRepeat ? this.file.createMemo() : null
    if (lists.length > 0) lines.push("if (Array.isArray(v)) {", ...this.#renderMembers(lists, memo), "}")
    if (objects.length > 0) {
      const body = discriminator ? this.#renderSwitch(discriminator, objects) : this.#renderMembers(objects, memo)
      lines.push(`if (typeof v === "object" && v !== null && !Array.isArray(v)) {`, ...body, "}")
    }
    return [...lines, "return undefined"]
  }

  #renderLeaves(leaves: readonly TypeData[]): string[] {
    if (leaves.length === 0) return []
    const leaf: TypeData = leaves.length === 1 ? (leaves[0] as TypeData) : { kind: "union", members: leaves }
    const test = this.renderCondition(leaf, "v")
    if (test !== null) return [`if (${test}) return v`]
    return [`const x = ${renderLeafResult(leaf, "v", this.mode, this.file)}`, "if (x !== undefined) return x"]
  }

  /** Returns lines for a union, which return the properties that the matching members declare. */
  #renderMembers(members: readonly TypeData[], memo: string | null): string[] {
    const results = members.map((member) => this.renderResult(member, "v", "d"))
    const merged = results.reduce((one, other) => `${this.file.useHelper("combine")}(${one}, ${other})`)
    if (memo === null) return [`  return ${merged}`]
    const known = `  if (${memo}.has(v)) return ${memo}.get(v)`
    return [known, `  const made = ${merged}`, `  ${memo}.set(v, made)`, "  return made"]
  }

  #renderSwitch(
    { name, values }: NonNullable<ReturnType<typeof chooseDiscriminator>>,
    objects: readonly TypeData[],
  ): string[] {
    const cases = objects.map((type, i) => {
      const labels = (values[i] ?? []).map((value) => `case ${toSource(value)}:`).join(" ")
      return `    ${labels} return ${this.renderResult(type, "v", "d")}`
    })
    return [`  switch (${renderProperty("v", name, this.mode, this.file)}) {`, ...cases, "  }", "  return undefined"]
  }
}

/** Indents lines by one level. */
export function indentLines(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
