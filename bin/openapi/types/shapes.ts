/** Converts the checker's types to types as data: the JSON of their values. */
import type { TypeData } from "../../../lib/openapi/model.ts"
import type { Node, Type, TypeSymbol } from "../../tools/typescript/program.ts"
import { builtIn } from "./built-in.ts"
import { objectOf, type PropertyTools, patternOf, propertiesOf, tupleOf, valuesOf } from "./members.ts"
import { extrasOf, isArray, isOfRuntime, isTuple, itemOfList } from "./syntax-of-types.ts"
import { any, anyObject, nothing } from "./type-data.ts"
import { TypeReader } from "./type-reader.ts"
import { isStatusProperty } from "./whole-numbers.ts"

/** An object of the runtime with more properties than this, such as `window`, is not data. */
const mostOfRuntime = 100

/** Converts types, each once; named types are stored separately. */
export class Shapes extends TypeReader {
  readonly #propertyTools: PropertyTools = {
    program: this.program,
    make: (type, from, hint) => {
      const made = this.part(type, from, hint)
      return made.kind === "number" && isStatusProperty(from, this.program) ? { kind: "integer" } : made
    },
    sourceOf: this.names.sourceOf,
    tagged: this.tagged,
    lose: this.lose,
  }

  protected override endless(from: Node): TypeData {
    return this.warn("a type grows with every level", from, any)
  }

  /** Converts a type without parts; null for others. */
  protected override simple(type: Type, from: Node): TypeData | null {
    const { flags: f, checker } = this.program
    const { flags } = type
    if (flags & f.AnyOrUnknown) return any
    if (flags & f.Never) return { kind: "never" }
    if (flags & (f.Undefined | f.Void | f.ESSymbolLike)) return nothing
    if (flags & f.Null) return { kind: "null" }
    if (flags & f.BigIntLike) return this.#bigint(from)
    if (flags & f.Boolean) return { kind: "boolean" }
    if (type.isLiteralType()) return literal(type)
    if (flags & f.Union) return null
    if (flags & f.String) return { kind: "string" }
    if (flags & f.Number) return { kind: "number" }
    if (type.isTemplateLiteralType())
      return { kind: "string", pattern: patternOf(type.texts, type.getTypes(), this.program) }
    if (flags & f.StringMapping) return { kind: "string" }
    if (flags & f.NonPrimitive) return anyObject
    if (flags & f.Instantiable) {
      const constraint = checker.getBaseConstraintOfType(type)
      return constraint && constraint.id !== type.id ? this.part(constraint, from) : any
    }
    return null
  }

  #bigint(from: Node): TypeData {
    const fix = "Convert it first: Number(value) or String(value)."
    return this.warn("JSON cannot hold a bigint, and JSON.stringify throws", from, { kind: "bigint" }, fix)
  }

  /** Converts a type that JSON.stringify changes; null for others. A name would only hide the result. */
  protected override converted(type: Type, from: Node): TypeData | null {
    const { checker } = this.program
    if (type.isUnionType()) return null
    if (type.isIntersectionType()) return this.unbranded(type, from)
    const known = builtIn(type, this.program)
    if (known?.warning) this.warn(known.warning, from, known.type)
    if (known) return known.type
    if (isArray(type) || isTuple(type)) return null
    const isCalled =
      extrasOf(type, this.program).signatures && checker.getSignaturesOfType(type, 0).length > 0
    if (isCalled) return nothing
    const sent = this.#serialized(type)
    if (!sent) return null
    const plain = this.simple(sent, from) ?? this.converted(sent, from)
    return plain ?? (this.names.of(sent) ? this.part(sent, from) : null)
  }

  /** Returns the result type of `toJSON()`. */
  #serialized(type: Type): Type | undefined {
    const { checker } = this.program
    const toJSON = checker.getPropertiesOfType(type).find(({ name }) => name === "toJSON")
    const method = toJSON && checker.getTypeOfSymbol(toJSON)
    const [signature] = method ? checker.getSignaturesOfType(method, 0) : []
    const sent = signature && checker.getReturnTypeOfSignature(signature)
    return sent?.id === type.id ? undefined : sent
  }

  protected override object(type: Type, from: Node): TypeData {
    const { checker } = this.program
    if (isTuple(type)) return tupleOf(type, from, this.program, this.part)
    if (isArray(type)) {
      const [item] = checker.getTypeArguments(type)
      return { kind: "array", items: item ? this.part(item, from) : any }
    }
    const sent = this.#serialized(type)
    if (sent) return this.part(sent, from)
    const symbols = checker.getPropertiesOfType(type)
    const item = itemOfList(type, this.program)
    if (item) return { kind: "array", items: this.part(item, from) }
    const inherits = this.#isClass(type) || symbols.some(isOfError)
    const own = inherits ? symbols.filter((symbol) => !isOfRuntime(symbol)) : symbols
    const rest = extrasOf(type, this.program).index ? valuesOf(type, from, this.#propertyTools) : {}
    if (own.length > mostOfRuntime && own.every(isOfRuntime)) {
      const what = "an object of the runtime is not data"
      return this.warn(what, from, anyObject)
    }
    return objectOf(type, propertiesOf(type, own, from, this.#propertyTools), rest, this.program)
  }

  /**
   * Returns true for a class of the project. Members inherited from the runtime, such as Error's message, are
   * not own ones or not enumerable.
   */
  #isClass(type: Type): boolean {
    return ((type.getSymbol()?.flags ?? 0) & this.program.symbolFlags.Class) !== 0
  }
}

/** Returns true for an interface that extends Error, whose message is not enumerable. */
function isOfError(symbol: TypeSymbol): boolean {
  return symbol.name === "stack" && isOfRuntime(symbol)
}

function literal(type: Type): TypeData {
  const { value, intrinsicName } = type as { value?: string | number | boolean; intrinsicName?: string }
  return { kind: "literal", value: value ?? intrinsicName === "true" }
}
