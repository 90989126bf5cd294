/** The text of a module of validators while it is generated: functions, constants and helpers. */
import { readLimits } from "../openapi/document/constraints.ts"
import type { NamedType, TypeData } from "../openapi/document/model.ts"
import { indexByID, listParts, resolveType } from "../openapi/document/type-parts.ts"
import { helpers, maxLevels } from "./helpers.ts"
import { textHelpers } from "./text-helpers.ts"

/** The form of a request's values: JSON, or texts and files. */
export type InputMode = "json" | "text"

/** Collects the functions, constants and helpers that are used. */
export class ValidatorFile {
  readonly types: ReadonlyMap<string, TypeData>
  readonly #cyclicIDs: ReadonlySet<string>
  readonly #names = new Map<string, string>()
  readonly #constants = new Map<string, string>()
  readonly #helpers = new Set<string>()
  readonly #functions: string[] = []
  readonly #deepTypes = new Map<TypeData, boolean>()
  #memoCount = 0

  constructor(named: readonly NamedType[]) {
    this.types = indexByID(named)
    this.#cyclicIDs = findCyclicTypes(this.types)
  }

  /** Returns the text of all helpers, constants and functions. */
  get text(): string {
    const all = { ...helpers, ...textHelpers }
    const usedHelpers = new Set<string>()
    const use = (name: string) => {
      if (usedHelpers.has(name)) return
      for (const other of all[name]?.uses ?? []) use(other)
      usedHelpers.add(name)
    }
    for (const name of [...this.#helpers].sort()) use(name)
    const texts = [...usedHelpers].map((name) => all[name]?.text ?? "")
    const constants = [...this.#constants].map(([value, name]) => `const ${name} = ${value}`)
    const memos = Array.from({ length: this.#memoCount }, (_, i) => `const memo${i} = new Map()`)
    const clear = Array.from({ length: this.#memoCount }, (_, i) => `memo${i}.clear()`)
    const forget = this.#helpers.has("catchTooDeep") ? [`function forget() {\n  ${clear.join("\n  ")}\n}`] : []
    return [...texts, ...memos, ...forget, ...constants, ...this.#functions].join("\n")
  }

  /** Adds a helper to the module. Returns the name of its function. */
  useHelper(name: string, functionName = name): string {
    this.#helpers.add(name)
    return functionName
  }

  /**
   * Adds a constant. Returns its name.
   *
   * @param value the code of its value.
   */
  useConstant(value: string): string {
    const known = this.#constants.get(value)
    if (known) return known
    const name = `c${this.#constants.size}`
    this.#constants.set(value, name)
    return name
  }

  /** Adds a map that remembers results. Returns its name. */
  createMemo(): string {
    this.#memoCount += 1
    return `memo${this.#memoCount - 1}`
  }

  /**
   * Returns the name of the function for a type. Adds the function if it is new.
   *
   * @param kind the start of its name. Functions of different kinds are different.
   * @param write returns the code of the function with a name.
   */
  defineFunction(kind: string, type: TypeData, write: (name: string) => string): string {
    const key = `${kind}:${type.kind === "named" ? `id ${type.id}` : toStructureKey(type)}`
    const known = this.#names.get(key)
    if (known) return known
    const name = `${kind}${this.#names.size}`
    this.#names.set(key, name)
    const text = write(name)
    this.#functions.push(text)
    return name
  }

  /** Returns the type that a name stands for, without its limits. */
  resolvePlain(type: TypeData): TypeData {
    return resolveType(type, this.types)
  }

  /** Returns the type that a name stands for. */
  resolveName(type: TypeData): TypeData {
    return type.kind === "named" ? this.resolveName(this.types.get(type.id) ?? { kind: "any" }) : type
  }

  /** Returns true if values of a type may be nested without a limit. */
  isDeep(type: TypeData): boolean {
    const known = this.#deepTypes.get(type)
    if (known !== undefined) return known
    const isDeep =
      type.kind === "named" ? this.#leadsToCycle(type.id) : listParts(type).some((part) => this.isDeep(part))
    this.#deepTypes.set(type, isDeep)
    return isDeep
  }

  /**
   * Returns a line that ends a function if a value is nested too deeply. Only lists and objects count as levels.
   */
  listDepthLines(type: TypeData, isDeep: boolean, end: () => string): string[] {
    const isLevel = type.kind === "array" || type.kind === "tuple" || type.kind === "object"
    return isDeep && isLevel ? [`if (d >= ${maxLevels}) ${end()}`] : []
  }

  #leadsToCycle(id: string): boolean {
    const reachableIDs = new Set([id])
    for (const next of reachableIDs) {
      if (this.#cyclicIDs.has(next)) return true
      for (const other of listReferences(this.types.get(next))) reachableIDs.add(other)
    }
    return false
  }
}

/** Returns the ids of the named types that contain themselves. */
function findCyclicTypes(types: ReadonlyMap<string, TypeData>): ReadonlySet<string> {
  const references = new Map([...types].map(([id, type]) => [id, listReferences(type)]))
  return new Set(
    [...types.keys()].filter((id) => {
      const reachableIDs = new Set(references.get(id))
      for (const next of reachableIDs) {
        if (next === id) return true
        for (const other of references.get(next) ?? []) reachableIDs.add(other)
      }
      return false
    }),
  )
}

/** Returns the ids of the named types to which a type refers directly. */
function listReferences(root: TypeData | undefined): string[] {
  const found = new Set<string>()
  const queue = root ? [root] : []
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.kind === "named") found.add(next.id)
    else queue.push(...listParts(next))
  }
  return [...found]
}

/** Returns a text that is equal for types that are checked in the same way. */
function toStructureKey(type: TypeData): string {
  return JSON.stringify(type, (key, value: unknown) => {
    if (key === "problem" || key === "anyAt" || key === "subject") return undefined
    return key === "comment" && typeof value === "string" ? JSON.stringify(readLimits(value)) : value
  })
}
