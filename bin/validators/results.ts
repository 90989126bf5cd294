/** Source of the functions that check a value and return the result: a copy with the declared properties, converted. */
import type { TypeData } from "../../lib/openapi/model.ts"
import { type AllData, checksOf } from "./checks.ts"
import type { Mode, ValidatorFile } from "./file.ts"
import { isLeaf, leafResult, testOf } from "./leaves.ts"
import { objectLines } from "./object-results.ts"
import { readProperty } from "./properties.ts"
import { source } from "./text-tests.ts"
import { membersOf, telling } from "./unions.ts"

type ArrayData = Extract<TypeData, { kind: "array" }>
type TupleData = Extract<TypeData, { kind: "tuple" }>
type UnionData = Extract<TypeData, { kind: "union" }>

/** Names of variables: of a value, and of its result. */
export type Names = readonly [value: string, result: string]

/** Writes result functions for one way of writing values. */
export class Results {
  readonly mode: Mode
  readonly file: ValidatorFile

  constructor(mode: Mode, file: ValidatorFile) {
    this.mode = mode
    this.file = file
  }

  /** Returns an expression of a value's result; undefined if it does not fit. @param depth the number of lists and objects around it. */
  of(type: TypeData, x: string, depth = "d + 1"): string {
    const { file, mode } = this
    if (isLeaf(type, file)) return leafResult(type, x, mode, file)
    return `${this.function(type)}(${x}${file.isDeep(type) ? `, ${depth}` : ""})`
  }

  /** Returns an expression of the result of JSON, which is a default. */
  converted(type: TypeData, json: string): string {
    const results = this.mode === "json" ? this : new Results("json", this.file)
    return results.test(type, "x") === null ? results.of(type, json, "0") : json
  }

  /** Returns a condition, if a value is its own result; otherwise null. */
  test(type: TypeData, x: string): string | null {
    return testOf(type, x, this.mode, this.file)
  }

  /** Returns the name of the function for a type with parts. */
  function(type: TypeData): string {
    const { file } = this
    return file.function(this.mode === "json" ? "t" : "f", type, (name) => {
      const isDeep = file.isDeep(type)
      const plain = file.named(type)
      const lines = [
        ...file.depthLines(plain, isDeep, () => "return undefined"),
        ...this.#lines(plain, isDeep),
      ]
      return `function ${name}(v${isDeep ? ", d" : ""}) {\n${lines.map((line) => `  ${line}\n`).join("")}}`
    })
  }

  #lines(type: TypeData, isDeep: boolean): string[] {
    if (type.kind === "object") return objectLines(type, this)
    if (type.kind === "array") return this.#array(type)
    if (type.kind === "all") return this.#every(type)
    return type.kind === "tuple" ? this.#tuple(type) : this.#union(type as UnionData, isDeep)
  }

  /** Returns lines that set the result of a value, or return. */
  lines(type: TypeData, [x, y]: Names): string[] {
    const test = this.test(type, x)
    if (test !== null) return test === "true" ? [] : [`if (!(${test})) return undefined`]
    return [`const ${y} = ${this.of(type, x)}`, `if (${y} === undefined) return undefined`]
  }

  /** Returns lines that return what every member declares, within the limits. */
  #every(type: AllData): string[] {
    const checks = checksOf(type, { sent: "v", result: "y0" }, this.mode, this.file)
    const results = type.members.flatMap((member, i) => [
      `const y${i} = ${this.of(member, "v", "d")}`,
      `if (y${i} === undefined) return undefined`,
    ])
    const made = type.members.map((_, i) => `y${i}`)
    const merged = made.reduce((one, other) => `${this.file.helper("both")}(${one}, ${other})`)
    return [...results, ...checks.map(({ test }) => `if (!(${test})) return undefined`), `return ${merged}`]
  }

  #array({ items }: ArrayData): string[] {
    const test = this.test(items, "x")
    const head = "if (!Array.isArray(v)) return undefined"
    if (test === "true") return [head, "return v.slice()"]
    const loop = "for (let i = 0; i < out.length; i++) {"
    const body =
      test === null
        ? [`const x = ${this.of(items, "out[i]")}`, "if (x === undefined) return undefined", "out[i] = x"]
        : ["const x = out[i]", `if (!(${test})) return undefined`]
    return [head, "const out = v.slice()", loop, ...indented(body), "}", "return out"]
  }

  #tuple({ items, rest, tail = [] }: TupleData): string[] {
    const least = items.filter(({ optional }) => !optional).length + tail.length
    const sizes = [
      ...(least > 0 ? [`v.length < ${least}`] : []),
      ...(rest ? [] : [`v.length > ${items.length}`]),
    ]
    const lines = [`if (${["!Array.isArray(v)", ...sizes].join(" || ")}) return undefined`, "const out = []"]
    const item = (type: TypeData, at: string) => [
      `  const x = v[${at}]`,
      ...indented(this.lines(type, ["x", "y"])),
      `  out.push(${this.test(type, "x") === null ? "y" : "x"})`,
      "}",
    ]
    for (const [i, { type, optional }] of items.entries())
      lines.push(optional ? `if (v.length > ${i}) {` : "{", ...item(type, String(i)))
    const end = tail.length > 0 ? `v.length - ${tail.length}` : "v.length"
    if (rest) lines.push(`for (let i = ${items.length}; i < ${end}; i++) {`, ...item(rest, "i"))
    for (const [i, type] of tail.entries()) lines.push("{", ...item(type, `v.length - ${tail.length - i}`))
    return [...lines, "return out"]
  }

  #union(type: UnionData, isDeep: boolean): string[] {
    const { leaves, lists, objects } = membersOf(type, this.file)
    const lines = this.#leaves(leaves)
    const told = telling(objects, this.mode, this.file)
    // Each of several members would visit the same parts, again at every level.
    const repeats = isDeep && (lists.length > 1 || (objects.length > 1 && !told))
    const memo = repeats ? this.file.memo() : null
    if (lists.length > 0) lines.push("if (Array.isArray(v)) {", ...this.#all(lists, memo), "}")
    if (objects.length > 0) {
      const body = told ? this.#switch(told, objects) : this.#all(objects, memo)
      lines.push(`if (typeof v === "object" && v !== null && !Array.isArray(v)) {`, ...body, "}")
    }
    return [...lines, "return undefined"]
  }

  #leaves(leaves: readonly TypeData[]): string[] {
    if (leaves.length === 0) return []
    const leaf: TypeData = leaves.length === 1 ? (leaves[0] as TypeData) : { kind: "union", members: leaves }
    const test = this.test(leaf, "v")
    if (test !== null) return [`if (${test}) return v`]
    return [`const x = ${leafResult(leaf, "v", this.mode, this.file)}`, "if (x !== undefined) return x"]
  }

  /** Returns lines that return what every matching member declares. */
  #all(members: readonly TypeData[], memo: string | null): string[] {
    const results = members.map((member) => this.of(member, "v", "d"))
    const made = results.reduce((one, other) => `${this.file.helper("both")}(${one}, ${other})`)
    if (memo === null) return [`  return ${made}`]
    const known = `  if (${memo}.has(v)) return ${memo}.get(v)`
    return [known, `  const made = ${made}`, `  ${memo}.set(v, made)`, "  return made"]
  }

  #switch({ name, values }: NonNullable<ReturnType<typeof telling>>, objects: readonly TypeData[]): string[] {
    const cases = objects.map((type, i) => {
      const labels = (values[i] ?? []).map((value) => `case ${source(value)}:`).join(" ")
      return `    ${labels} return ${this.of(type, "v", "d")}`
    })
    return [
      `  switch (${readProperty("v", name, this.mode, this.file)}) {`,
      ...cases,
      "  }",
      "  return undefined",
    ]
  }
}

/** Returns lines one level deeper. */
export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
