/** Converts the checker's types to what a request must contain. What cannot be checked is refused, with the reason. */
import type { Notice, TypeData, TypeProblem, Warning } from "../../../lib/openapi/model.ts"
import { inputEnd } from "../../../lib/openapi/twins.ts"
import type { Node, Type } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { builtIn } from "./built-in.ts"
import { formInput } from "./form-input.ts"
import { type InputFrom, noticesIn, problemsIn, withDefault } from "./input-checks.ts"
import { notData, plainList } from "./input-rules.ts"
import {
  objectOf,
  type PropertyTools,
  patternOfParts,
  propertiesOf,
  templateOf,
  tupleOf,
  valuesOf,
} from "./members.ts"
import { extrasOf, isArray, isTuple } from "./syntax-of-types.ts"
import type { Lose } from "./tagged-types.ts"
import { any, anyObject, nothing, without } from "./type-data.ts"
import { TypeReader } from "./type-reader.ts"

export type { InputFrom } from "./input-checks.ts"

const plainFix = "Use plain data, or pass a schema."

/** Types of bodies, forms and queries. Named types are in {@link named}. */
export class InputTypes extends TypeReader {
  readonly #notices = new Map<string, Notice>()
  protected override readonly lose: Lose = (of, node) => {
    const at = this.program.place(node)
    const message = `the tags of "${of}" do not count here, because TypeScript does not keep them`
    this.#notices.set(`${at.file}:${at.line}:${of}`, { message, fix: "Put them on a property.", at })
  }
  readonly #tools: PropertyTools = {
    program: this.program,
    make: this.part,
    sourceOf: this.names.sourceOf,
    tagged: this.tagged,
    lose: this.lose,
    received: true,
  }
  protected override readonly idEnd = inputEnd
  readonly #problems = new Map<string, TypeProblem>()
  readonly #problemsOf = new Map<string, readonly TypeProblem[]>()

  /** Reasons why types that were converted so far cannot be checked. */
  get problems(): readonly TypeProblem[] {
    return [...this.#problems.values()]
  }

  /** Places where any value is accepted, and tags that may be misspelt. */
  get notices(): readonly Notice[] {
    return [...this.#notices.values()]
  }

  /**
   * Returns what a request must contain to have a type.
   *
   * @param from the node for problems.
   * @param kind the part of the request.
   */
  override of(type: Type, from: Node, kind: InputFrom = "json"): TypeData {
    const { type: written, typeArguments: [argument] = [] } = from as SyntaxNode
    const data = this.tagged.of(super.of(type, from), argument ?? written, this.lose)
    const shape = kind === "json" ? data : formInput(data, this.types, this.program.place(from))
    const problems = problemsIn(shape, kind, this.types, this.program.place(from))
    this.#problemsOf.set(`${kind}:${type.id}`, problems)
    for (const problem of problems) this.#problems.set(keyOf(problem), problem)
    for (const notice of noticesIn(shape, this.types, this.program.place(from)))
      this.#notices.set(keyOf(notice), notice)
    return shape
  }

  /** Returns the reasons why a type that {@link of} converted cannot be checked: none if it can. */
  problemsOf(type: Type, kind: InputFrom = "json"): readonly TypeProblem[] {
    return this.#problemsOf.get(`${kind}:${type.id}`) ?? []
  }

  protected override endless(from: Node): TypeData {
    return this.#refuse("is nested too deeply, or grows with every level", from)
  }

  protected override simple(type: Type, from: Node): TypeData | null {
    const { flags: f } = this.program
    const { flags } = type
    if (flags & f.AnyOrUnknown) return this.#any(type, from)
    if (flags & f.Never) return { kind: "never" }
    if (flags & (f.Undefined | f.Void)) return nothing
    if (flags & f.ESSymbolLike) return this.#refuse("is a symbol", from)
    if (flags & f.Null) return { kind: "null" }
    if (flags & f.BigIntLiteral) return this.#refuse("is a literal bigint", from, "Use bigint.")
    if (flags & f.BigInt) return { kind: "integer-text" }
    if (flags & f.Boolean) return { kind: "boolean" }
    if (type.isLiteralType()) return literal(type) ?? this.#refuse("is a number that JSON cannot hold", from)
    if (flags & f.Union) return null
    if (flags & f.String) return { kind: "string" }
    if (flags & (f.Number | f.Enum)) return { kind: "number" }
    if (type.isTemplateLiteralType()) return this.#template(type.texts, type.getTypes(), from)
    if (flags & f.StringMapping)
      return this.#refuse("is a text that is computed, such as Uppercase<string>", from)
    if (flags & f.NonPrimitive) return anyObject
    if (flags & f.Instantiable) {
      const fix = "Bind where the type is known, or pass a schema."
      return this.#refuse("depends on a type parameter", from, fix)
    }
    return null
  }

  #any(type: Type, from: Node): TypeData {
    const { intrinsicName } = type as { intrinsicName?: string }
    if (intrinsicName !== "any" && intrinsicName !== "unknown")
      return this.#refuse("is a name that TypeScript cannot find", from, "Run tsc --noEmit.", true)
    return { kind: "any", open: this.program.place(from) }
  }

  #template(texts: readonly string[], types: readonly Type[], from: Node): TypeData {
    const template = this.#parts(texts, types)
    return template
      ? { kind: "string", pattern: patternOfParts(template), template }
      : this.#refuse("is a template literal type with a part that cannot be checked", from)
  }

  #parts(texts: readonly string[], types: readonly Type[]) {
    const { flags: f } = this.program
    const isKnown = types.every(({ flags }) => flags & (f.String | f.Number | f.BigInt | f.Any))
    return isKnown ? templateOf(texts, types, this.program) : null
  }

  protected override converted(type: Type, from: Node): TypeData | null {
    if (type.isUnionType()) return null
    const plain = this.unbranded(type, from)
    if (plain) return plain
    const name = type.getSymbol()?.name
    const known = builtIn(type, this.program)?.type
    if (known && name === "Date") return { kind: "date" }
    if (known && (name === "File" || name === "Blob")) return { kind: "binary" }
    if (known) return this.#refuse(`is of type ${name}`, from)
    if (isArray(type) || isTuple(type) || plainList(type, this.program)) return null
    const reason = notData(type, this.program)
    return reason === null ? null : this.#refuse(reason, from)
  }

  protected override object(type: Type, from: Node): TypeData {
    const { checker } = this.program
    if (isTuple(type)) return tupleWithout(tupleOf(type, from, this.program, this.part))
    const item = isArray(type) ? checker.getTypeArguments(type)[0] : plainList(type, this.program)
    if (isArray(type) || item) return { kind: "array", items: item ? without(this.part(item, from)) : any }
    const symbols = checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith("__@"))
    const properties = propertiesOf(type, symbols, from, this.#tools).map(withDefault)
    const rest = extrasOf(type, this.program).index ? valuesOf(type, from, this.#tools) : {}
    return objectOf(type, properties, rest, this.program)
  }

  #refuse(what: string, from: Node, fix = plainFix, isMistake = false): TypeData {
    const subject = this.property === "" ? "the type" : `the type of "${this.property}"`
    const message = `${subject} ${what}, and a request cannot be checked against it`
    const refused = { message, fix, at: this.program.place(from), ...(isMistake && { isMistake }) }
    return { kind: "any", refused: refused as TypeProblem }
  }
}

function keyOf({ message, at }: Warning): string {
  return `${at?.file}:${at?.line}:${message}`
}

function literal(type: Type): TypeData | null {
  const { value, intrinsicName } = type as { value?: string | number | boolean; intrinsicName?: string }
  if (typeof value === "number" && !Number.isFinite(value)) return null
  return { kind: "literal", value: value ?? intrinsicName === "true" }
}

/** JSON has no undefined as an item. */
function tupleWithout(tuple: Extract<TypeData, { kind: "tuple" }>): TypeData {
  const { rest, tail } = tuple
  return { ...tuple, ...(rest && { rest: without(rest) }), ...(tail && { tail: tail.map(without) }) }
}
