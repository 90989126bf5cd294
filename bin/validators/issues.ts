/** Source of the functions that list everything that is wrong with a value, after it was refused. */
import type { PropertyData, TypeData } from "../../lib/openapi/model.ts"
import { type AllData, type Check, checksOf } from "./checks.ts"
import type { Mode, ValidatorFile } from "./file.ts"
import { isLeaf, leafResult, testOf } from "./leaves.ts"
import { fieldValue, readProperty } from "./properties.ts"
import { indented, type Results } from "./results.ts"
import { templateTest } from "./template-test.ts"
import { patternTest, source } from "./text-tests.ts"
import { membersOf, telling } from "./unions.ts"
import { listOf, wordsOf } from "./words.ts"

type UnionData = Extract<TypeData, { kind: "union" }>

/** Writes issue functions for one way of writing values. */
export class Issues {
  readonly #results: Results
  readonly #mode: Mode
  readonly #file: ValidatorFile

  constructor(results: Results) {
    this.#results = results
    this.#mode = results.mode
    this.#file = results.file
  }

  /** Returns the name of the function that reports what is wrong with a value. */
  function(type: TypeData): string {
    const file = this.#file
    return file.function(this.#mode === "json" ? "w" : "g", type, (name) => {
      const isDeep = file.isDeep(type) && !isLeaf(type, file)
      const plain = file.named(type)
      const end = () => `return ${file.helper("deep")}(o, p)`
      const lines = [...file.depthLines(plain, isDeep, end), ...this.#lines(plain, type)]
      return `function ${name}(v, p, o${isDeep ? ", d" : ""}) {\n${lines.map((line) => `  ${line}\n`).join("")}}`
    })
  }

  /** Returns a statement that reports what is wrong with a part. @param depth the number of lists and objects around it. */
  #call(type: TypeData, x: string, depth = "d + 1"): string {
    return `${this.function(type)}(${x}, p, o${this.#file.isDeep(type) ? `, ${depth}` : ""})`
  }

  #fail(what: string, x = "v"): string {
    return `${this.#file.helper("fail")}(o, p, ${beginning(what)}, ${x})`
  }

  #miss(key: string, what: string, x: string): string {
    this.#file.helper("fail")
    return `miss(o, p, ${key}, ${beginning(what)}, ${x})`
  }

  #lines(plain: TypeData, type: TypeData): string[] {
    if (isLeaf(plain, this.#file)) return this.#leaf(type, "v", (what, x) => this.#fail(what, x))
    if (plain.kind === "object") return this.#object(plain)
    if (plain.kind === "array")
      return [this.#notList("!Array.isArray(v)", "an array"), ...this.#items(plain.items, "0", "v.length")]
    if (plain.kind === "tuple") return this.#tuple(plain)
    return plain.kind === "all" ? this.#every(plain) : this.#union(plain as UnionData, type)
  }

  /** Returns lines that report what is wrong with a value without parts. Limits count for a value that has the type. */
  #leaf(type: TypeData, x: string, report: (what: string, x: string) => string): string[] {
    const [bare, limits] = this.#limitsOf(type)
    const expected = wordsOf(type, this.#file)
    const isRead = this.#mode === "text" && /^(?:an integer|-?\d)/.test(expected)
    const words = report(expected, isRead ? `${this.#file.helper("numberOf")}(${x}) ?? ${x}` : x)
    const test = testOf(bare, x, this.#mode, this.#file)
    const made = leafResult(bare, x, this.#mode, this.#file)
    if (limits.length === 0)
      return test === "true"
        ? []
        : [`if (${test === null ? `${made} === undefined` : `!(${test})`}) ${words}`]
    // A number that was sent as text is shown as the number that it is.
    const isNumber = /^(?:number|integer|integer-text|bigint)$/.test(this.#file.named(bare).kind)
    const checks = (result: string) =>
      limits
        .flatMap((one) => checksOf(one, { sent: x, result }, this.#mode, this.#file))
        .map(({ test, what }: Check) => `if (!(${test})) ${report(what, isNumber ? result : x)}`)
    if (test !== null) return [`if (!(${test})) ${words}`, "else {", ...indented(checks(x)), "}"]
    const lines = [
      `const y = ${made}`,
      `if (y === undefined) ${words}`,
      "else {",
      ...indented(checks("y")),
      "}",
    ]
    return ["{", ...indented(lines), "}"]
  }

  /** Returns a type without its limits, and the limits. */
  #limitsOf(type: TypeData): readonly [bare: TypeData, limits: readonly AllData[]] {
    const plain = this.#file.named(type)
    const [only, ...others] = plain.kind === "all" ? plain.members : []
    if (plain.kind !== "all" || !only) return [type, []]
    if (others.length > 0) return [{ kind: "all", members: plain.members }, [plain]]
    const [bare, limits] = this.#limitsOf(only)
    return [bare, [...limits, plain]]
  }

  /** Limits are checked after the parts, which are not visited again for them. */
  #every(type: AllData): string[] {
    const parts = type.members.map((member) => this.#call(member, "v", "d"))
    const checks = checksOf(type, { sent: "v", result: "v" }, this.#mode, this.#file)
    const isList = this.#file.resolved(type).kind !== "union" ? "Array.isArray(v) && " : ""
    return [...parts, ...checks.map(({ test, what }) => `if (${isList}!(${test})) ${this.#fail(what)}`)]
  }

  #notList(test: string, what: string): string {
    return `if (${test}) return ${this.#fail(what)}`
  }

  #items(type: TypeData, from: string, to: string): string[] {
    this.#file.helper("fail")
    const each = (...body: string[]) => [
      `for (let i = ${from}; i < ${to} && !isFull(o); i++) {`,
      ...indented(body),
      "}",
    ]
    if (isLeaf(type, this.#file)) return each(...this.#at(type, "i", "v[i]"))
    // One key for all items, because most of them have no issue.
    return ["p.push(0)", ...each("p[p.length - 1] = i", this.#call(type, "v[i]")), "p.pop()"]
  }

  /** Returns lines that report what is wrong with a part under a key. */
  #at(type: TypeData, key: string, x: string): string[] {
    if (isLeaf(type, this.#file)) return this.#leaf(type, x, (what, is) => this.#miss(key, what, is))
    return [`p.push(${key})`, this.#call(type, x), "p.pop()"]
  }

  #tuple({ items, rest, tail = [] }: Extract<TypeData, { kind: "tuple" }>): string[] {
    const least = items.filter(({ optional }) => !optional).length + tail.length
    const sizes = [
      ...(least > 0 ? [`v.length < ${least}`] : []),
      ...(rest ? [] : [`v.length > ${items.length}`]),
    ]
    const count = rest
      ? `at least ${least}`
      : least === items.length
        ? `${least}`
        : `${least} to ${items.length}`
    const lines = [this.#notList("!Array.isArray(v)", "an array")]
    if (sizes.length > 0)
      lines.push(
        `if (${sizes.join(" || ")}) return ${this.#fail(`an array with ${count} ${count === "1" || count === "at least 1" ? "item" : "items"}`)}`,
      )
    for (const [i, { type, optional }] of items.entries())
      lines.push(
        optional ? `if (v.length > ${i}) {` : "{",
        ...indented(this.#at(type, String(i), `v[${i}]`)),
        "}",
      )
    if (rest)
      lines.push(
        ...this.#items(
          rest,
          String(items.length),
          tail.length > 0 ? `v.length - ${tail.length}` : "v.length",
        ),
      )
    for (const [i, type] of tail.entries())
      lines.push(
        "{",
        ...indented(this.#at(type, `v.length - ${tail.length - i}`, `v[v.length - ${tail.length - i}]`)),
        "}",
      )
    return lines
  }

  #object({ properties, values, patterns = [] }: Extract<TypeData, { kind: "object" }>): string[] {
    const lines = [
      `if (typeof v !== "object" || v === null || Array.isArray(v)) return ${this.#fail("an object")}`,
      "let x",
    ]
    for (const property of properties) lines.push(...this.#property(property))
    if (!values && patterns.length === 0) return lines
    const file = this.#file
    const names = properties.map(({ name }) => name)
    const body =
      names.length > 0 ? [`if (${file.constant(`new Set(${source(names)})`)}.has(k)) continue`] : []
    body.push(this.#mode === "json" ? "x = v[k]" : `x = ${file.helper("field")}(v[k])`)
    if (this.#mode === "text") body.push("if (x === undefined) continue")
    body.push(...(patterns.length > 0 ? ["let isKnown = false"] : []))
    for (const { pattern, template, type } of patterns) {
      const test = template ? templateTest(template, "k", file) : patternTest(pattern, "k", file)
      body.push(`if (${test}) {`, "  isKnown = true", ...indented(this.#value(type, "k")), "}")
    }
    if (values)
      body.push(...(patterns.length > 0 ? ["if (isKnown) continue"] : []), ...this.#value(values, "k"))
    return [...lines, "for (const k of Object.keys(v)) {", "  if (isFull(o)) return", ...indented(body), "}"]
  }

  /** Returns lines that report what is wrong with `x` under a key. */
  #value(type: TypeData, key: string): string[] {
    const isList = this.#mode === "text" && this.#file.resolved(type).kind === "array"
    return this.#at(type, key, isList ? "(Array.isArray(x) ? x : [x])" : "x")
  }

  #property(property: PropertyData): string[] {
    const { name, type, optional } = property
    const key = source(name)
    const read = `x = ${fieldValue(property, this.#mode, this.#file)}`
    const body = this.#value(type, key)
    if (optional) return [read, "if (x !== undefined) {", ...indented(body), "}"]
    const missing = this.#miss(key, wordsOf(type, this.#file), "x")
    return [read, `if (x === undefined) ${missing}`, "else {", ...indented(body), "}"]
  }

  #union(plain: UnionData, type: TypeData): string[] {
    const file = this.#file
    const { leaves, lists, objects } = membersOf(plain, file)
    const lines: string[] = []
    if (leaves.length > 0)
      lines.push(`if (${this.#results.of({ kind: "union", members: leaves }, "v")} !== undefined) return`)
    if (lists.length > 0) lines.push("if (Array.isArray(v)) {", ...indented(this.#several(lists, type)), "}")
    if (objects.length > 0) {
      const told = telling(objects, this.#mode, file)
      const body = told ? this.#switch(told, objects) : this.#several(objects, type)
      lines.push(`if (typeof v === "object" && v !== null && !Array.isArray(v)) {`, ...indented(body), "}")
    }
    return [...lines, this.#fail(wordsOf(type, file))]
  }

  #several(members: readonly TypeData[], type: TypeData): string[] {
    const [only] = members
    if (members.length === 1 && only) return [`return ${this.#call(only, "v", "d")}`]
    const kind = this.#file.resolved(members[0] as TypeData).kind === "object" ? "an object" : "an array"
    const fits = `${this.#results.of(type, "v", "d")} !== undefined`
    return [`if (${fits}) return`, `return ${this.#fail(`${kind} of one of ${members.length} types`)}`]
  }

  #switch({ name, values }: NonNullable<ReturnType<typeof telling>>, objects: readonly TypeData[]): string[] {
    const cases = objects.map((type, i) => {
      const labels = (values[i] ?? []).map((value) => `case ${source(value)}:`).join(" ")
      return `  ${labels} return ${this.#call(type, "v", "d")}`
    })
    const words = listOf(values.flat().map((value) => source(value)))
    const read = readProperty("v", name, this.#mode, this.#file)
    return [`switch (${read}) {`, ...cases, "}", `return ${this.#miss(source(name), words, read)}`]
  }
}

/** Returns the message of an issue without its last words, as source. One constant is faster than a sum at run time. */
function beginning(what: string): string {
  return source(`expected ${what}, got `)
}
