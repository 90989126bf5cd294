/** Converts types to the JSON that their values have. */

import type { Node, Type, TypeSymbol } from "../../tools/typescript/program.ts"
import type { TypeData } from "../document/model.ts"
import { findBuiltInType } from "./built-in.ts"
import { type PropertyTools, readIndexValues, readProperties, toObject, toPattern, toTuple } from "./members.ts"
import { findItemType, isArray, isRuntimeSymbol, isTuple } from "./syntax-of-types.ts"
import { anyObjectType, anyType, nothingType } from "./type-data.ts"
import { TypeReader } from "./type-reader.ts"

/** An object of the runtime with more properties than this, such as `window`, is not data. */
const maxRuntimeProperties = 100

/** Converts types of answers, each once. Named types are stored separately. */
export class Shapes extends TypeReader {
  readonly #propertyTools: PropertyTools = {
    program: this.program,
    convertPart: this.convertPart,
    syntaxTags: this.syntaxTags,
    onLostTags: this.onLostTags,
  }

  protected override convertEndless(from: Node): TypeData {
    return this.warn("a type grows with every level", from, anyType)
  }

  /** Converts a type that contains no other types; null for other types. */
  protected override convertSimple(type: Type, from: Node): TypeData | null {
    const { flags: f, checker } = this.program
    const { flags } = type
    if (flags & f.AnyOrUnknown) return anyType
    if (flags & f.Never) return { kind: "never" }
    if (flags & (f.Undefined | f.Void | f.ESSymbolLike)) return nothingType
    if (flags & f.Null) return { kind: "null" }
    if (flags & f.BigIntLike) return this.#convertBigint(from)
    if (flags & f.Boolean) return { kind: "boolean" }
    if (type.isLiteralType()) return toLiteral(type)
    if (flags & f.Union) return null
    if (flags & f.String) return { kind: "string" }
    if (flags & f.Number) return { kind: "number" }
    if (type.isTemplateLiteralType())
      return { kind: "string", pattern: toPattern(type.texts, type.getTypes(), this.program) }
    if (flags & f.StringMapping) return { kind: "string" }
    if (flags & f.NonPrimitive) return anyObjectType
    if (flags & f.Instantiable) {
      const constraint = checker.getBaseConstraintOfType(type)
      return constraint && constraint.id !== type.id ? this.convertPart(constraint, from) : anyType
    }
    return null
  }

  #convertBigint(from: Node): TypeData {
    const fix = "Convert it first: Number(value) or String(value)."
    return this.warn("JSON cannot hold a bigint, and JSON.stringify throws", from, { kind: "bigint" }, fix)
  }

  /**
   * Converts a type whose values JSON.stringify changes; null for other types. Such a type loses its name, which
   * would hide the result.
   */
  protected override convertSpecial(type: Type, from: Node): TypeData | null {
    const { checker } = this.program
    if (type.isUnionType()) return null
    if (type.isIntersectionType()) return this.convertUnbranded(type, from)
    const known = findBuiltInType(type, this.program)
    if (known?.warning) this.warn(known.warning, from, known.type)
    if (known) return known.type
    if (isArray(type) || isTuple(type)) return null
    if (checker.getSignaturesOfType(type, 0).length > 0) return nothingType
    const serializedType = this.#findSerializedType(type)
    if (!serializedType) return null
    const plain = this.convertSimple(serializedType, from) ?? this.convertSpecial(serializedType, from)
    return plain ?? (this.names.findName(serializedType) ? this.convertPart(serializedType, from) : null)
  }

  /** Returns the type of the result of `toJSON()`. */
  #findSerializedType(type: Type): Type | undefined {
    const { checker } = this.program
    const toJSON = checker.getPropertiesOfType(type).find(({ name }) => name === "toJSON")
    const method = toJSON && checker.getTypeOfSymbol(toJSON)
    const [signature] = method ? checker.getSignaturesOfType(method, 0) : []
    const result = signature && checker.getReturnTypeOfSignature(signature)
    return result?.id === type.id ? undefined : result
  }

  protected override convertObject(type: Type, from: Node): TypeData {
    const { checker } = this.program
    if (isTuple(type)) return toTuple(type, from, this.program, this.convertPart)
    if (isArray(type)) {
      const [item] = checker.getTypeArguments(type)
      return { kind: "array", items: item ? this.convertPart(item, from) : anyType }
    }
    const serializedType = this.#findSerializedType(type)
    if (serializedType) return this.convertPart(serializedType, from)
    const symbols = checker.getPropertiesOfType(type)
    const item = findItemType(type, this.program)
    if (item) return { kind: "array", items: this.convertPart(item, from) }
    const inheritsFromRuntime = this.#isClass(type) || symbols.some(isErrorMember)
    const ownSymbols = inheritsFromRuntime ? symbols.filter((symbol) => !isRuntimeSymbol(symbol)) : symbols
    const rest = readIndexValues(type, from, this.#propertyTools)
    if (ownSymbols.length > maxRuntimeProperties && ownSymbols.every(isRuntimeSymbol)) {
      const problem = "an object of the runtime is not data"
      return this.warn(problem, from, anyObjectType)
    }
    return toObject(type, readProperties(type, ownSymbols, from, this.#propertyTools), rest, this.program)
  }

  /**
   * Returns true for a class of the project. Members that it inherits from the runtime, such as the message of
   * Error, are not written.
   */
  #isClass(type: Type): boolean {
    return ((type.getSymbol()?.flags ?? 0) & this.program.symbolFlags.Class) !== 0
  }
}

/** Returns true for the property `stack` of `Error`. An object type with it extends `Error`. */
function isErrorMember(symbol: TypeSymbol): boolean {
  return symbol.name === "stack" && isRuntimeSymbol(symbol)
}

function toLiteral(type: Type): TypeData {
  const { value, intrinsicName } = type as { value?: string | number | boolean; intrinsicName?: string }
  return { kind: "literal", value: value ?? intrinsicName === "true" }
}
