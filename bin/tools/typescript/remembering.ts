/** A checker with a cache, because every question goes to another process. */
import type * as Sync from "typescript/unstable/sync"

/**
 * Questions about one type, symbol, signature or node, whose answer does not change while a program is open.
 */
const questions = new Set<PropertyKey>([
  "getBaseConstraintOfType",
  "getBaseTypes",
  "getDeclaredTypeOfSymbol",
  "getIndexInfosOfType",
  "getNonNullableType",
  "getPropertiesOfType",
  "getResolvedSignature",
  "getReturnTypeOfSignature",
  "getTypeArguments",
  "getTypeFromTypeNode",
  "isArrayType",
  "isTupleType",
])
/** Questions that may be asked about many at once. */
const lists = new Set<PropertyKey>(["getSymbolAtLocation", "getTypeAtLocation", "getTypeOfSymbol"])

type Ask = (subject: unknown) => unknown

/**
 * Returns the checker with a cache. If asked about many nodes at once, it knows the answer for each of them
 * afterwards.
 */
export function remembering(checker: Sync.Checker): Sync.Checker {
  const made = new Map<PropertyKey, unknown>()
  return new Proxy(checker, {
    get(target, name) {
      const known = made.get(name)
      if (known) return known
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== "function") return value
      const ask = value.bind(target) as Ask
      const wrapped = lists.has(name) ? rememberLists(ask) : questions.has(name) ? rememberOne(ask) : ask
      made.set(name, wrapped)
      return wrapped
    },
  })
}

function rememberOne(ask: Ask): Ask {
  const answers = new Map<unknown, unknown>()
  return (subject) => {
    if (!answers.has(subject)) answers.set(subject, ask(subject))
    return answers.get(subject)
  }
}

function rememberLists(ask: Ask): Ask {
  const answers = new Map<unknown, unknown>()
  return (subject) => {
    const all: readonly unknown[] = Array.isArray(subject) ? subject : [subject]
    const unknown = all.filter((one) => !answers.has(one))
    if (unknown.length === 1) answers.set(unknown[0], ask(unknown[0]))
    else if (unknown.length > 1) {
      const found = ask(unknown) as readonly unknown[]
      for (const [i, one] of unknown.entries()) answers.set(one, found[i])
    }
    return Array.isArray(subject) ? all.map((one) => answers.get(one)) : answers.get(subject)
  }
}
