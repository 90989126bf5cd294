/** Source of the functions that list everything that is wrong with a value, after it was refused. */
import type { PropertyData, TypeData } from "../../lib/openapi/model.ts"
import { checksOf } from "./checks.ts"
import type { Mode, ValidatorFile } from "./file.ts"
import { mostLevels } from "./helpers.ts"
import { isLeaf, leafResult, patternTest, source, testOf } from "./leaves.ts"
import { fieldValue, readProperty } from "./properties.ts"
import { indented, type Results } from "./results.ts"
import { templateTest } from "./template-test.ts"
import { membersOf, telling } from "./unions.ts"
import { listOf, wordsOf } from "./words.ts"

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
      const depth = isDeep ? [`if (d > ${mostLevels}) return ${file.helper("deep")}(o, p)`] : []
      const lines = [...depth, ...this.#lines(file.resolved(type), type)]
      return `function ${name}(v, p, o${isDeep ? ", d" : ""}) {\n${lines.map((line) => `  ${line}\n`).join("")}}`
    })
  }

  /** Returns a statement that reports what is wrong with a part. */
  #call(type: TypeData, x: string): string {
    return `${this.function(type)}(${x}, p, o${this.#file.isDeep(type) ? ", d + 1" : ""})`
  }

  #fail(what: string, x = "v"): string {
    return `${this.#file.helper("fail")}(o, p, ${beginning(what)}, ${x})`
  }

  #miss(key: string, what: string, x: string): string {
    this.#file.helper("fail")
    return `miss(o, p, ${key}, ${beginning(what)}, ${x})`
  }

  #lines(plain: TypeData, type: TypeData): string[] {
    if (plain.kind === "object") return this.#object(plain)
    if (plain.kind === "array")
      return [this.#notList("!Array.isArray(v)", "an array"), ...this.#items(plain.items, "0", "v.length")]
    if (plain.kind === "tuple") return this.#tuple(plain)
    if (plain.kind === "union" && !isLeaf(plain, this.#file)) return this.#union(plain, type)
    return [`if (${this.#leafTest(type, "v")}) return`, this.#fail(wordsOf(type, this.#file))]
  }

  #leafTest(type: TypeData, x: string): string {
    const test = testOf(type, x, this.#mode, this.#file)
    return test ?? `${leafResult(type, x, this.#mode, this.#file)} !== undefined`
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
    if (isLeaf(type, this.#file))
      return each(
        `if (!(${this.#leafTest(type, "v[i]")})) ${this.#miss("i", wordsOf(type, this.#file), "v[i]")}`,
      )
    // One key for all items, because most of them have no issue.
    return ["p.push(0)", ...each("p[p.length - 1] = i", this.#call(type, "v[i]")), "p.pop()"]
  }

  #item(type: TypeData, at: string): string[] {
    if (!isLeaf(type, this.#file)) return [`p.push(${at})`, this.#call(type, `v[${at}]`), "p.pop()"]
    return [
      `if (!(${this.#leafTest(type, `v[${at}]`)})) ${this.#miss(at, wordsOf(type, this.#file), `v[${at}]`)}`,
    ]
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
      lines.push(optional ? `if (v.length > ${i}) {` : "{", ...indented(this.#item(type, String(i))), "}")
    if (rest)
      lines.push(
        ...this.#items(
          rest,
          String(items.length),
          tail.length > 0 ? `v.length - ${tail.length}` : "v.length",
        ),
      )
    for (const [i, type] of tail.entries())
      lines.push("{", ...indented(this.#item(type, `v.length - ${tail.length - i}`)), "}")
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
    const x = isList ? "(Array.isArray(x) ? x : [x])" : "x"
    if (!isLeaf(type, this.#file)) return [`p.push(${key})`, this.#call(type, x), "p.pop()"]
    const test = this.#leafTest(type, x)
    return test === "true" ? [] : [`if (!(${test})) ${this.#miss(key, wordsOf(type, this.#file), x)}`]
  }

  #property(property: PropertyData): string[] {
    const { name, type, optional } = property
    const file = this.#file
    const key = source(name)
    const words = wordsOf(type, file)
    const isRefused = this.#mode === "json" && isLeaf(type, file) && this.#leafTest(type, "x") !== "true"
    const missing = optional ? [] : [`if (x === undefined) ${this.#miss(key, words, "x")}`]
    const start = optional ? "if (x !== undefined) {" : "else {"
    const read = `x = ${fieldValue(property, this.#mode, file)}`
    const body = [...this.#value(type, key), ...this.#constraints(property, key)]
    // A test of one value refuses a missing one with the same words.
    if (!optional && isRefused) return [read, ...body]
    return [read, ...missing, start, ...indented(body), "}"]
  }

  /** Constraints count for a value that has the type. Its parts are not visited again for them. */
  #constraints(property: PropertyData, key: string): string[] {
    const { type } = property
    const file = this.#file
    const test = testOf(type, "x", this.#mode, file)
    const isConverted = test === null && isLeaf(type, file)
    const checks = checksOf(property, { sent: "x", result: isConverted ? "y" : "x" }, this.#mode, file)
    if (checks.length === 0) return []
    const isList = ["array", "tuple"].includes(file.resolved(type).kind)
    const fits = isConverted ? "y !== undefined" : (test ?? (isList ? "Array.isArray(x)" : "true"))
    const failed = checks.map(({ test, what }) => `if (!(${test})) ${this.#miss(key, what, "x")}`)
    const result = isConverted ? [`const y = ${this.#results.of(type, "x")}`] : []
    return [...result, `if (${fits}) {`, ...indented(failed), "}"]
  }

  #union(plain: Extract<TypeData, { kind: "union" }>, type: TypeData): string[] {
    const file = this.#file
    const { leaves, lists, objects } = membersOf(plain, file)
    const lines: string[] = []
    if (leaves.length > 0)
      lines.push(`if (${this.#leafTest({ kind: "union", members: leaves }, "v")}) return`)
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
    if (members.length === 1 && only) return [`return ${this.#call(only, "v")}`]
    const kind = this.#file.resolved(members[0] as TypeData).kind === "object" ? "an object" : "an array"
    const fits = `${this.#results.of(type, "v")} !== undefined`
    return [`if (${fits}) return`, `return ${this.#fail(`${kind} of one of ${members.length} types`)}`]
  }

  #switch({ name, values }: NonNullable<ReturnType<typeof telling>>, objects: readonly TypeData[]): string[] {
    const cases = objects.map((type, i) => {
      const labels = (values[i] ?? []).map((value) => `case ${source(value)}:`).join(" ")
      return `  ${labels} return ${this.#call(type, "v")}`
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
