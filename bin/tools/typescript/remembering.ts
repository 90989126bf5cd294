/** A checker with a cache, because every question goes to another process. */
import type * as Sync from "typescript/unstable/sync"

/**
 * Questions about one type, symbol, signature or node, whose answer does not change while a program is open.
 */
const questions = [
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
] as const satisfies readonly (keyof Sync.Checker)[]
/** Questions that may be asked about many at once. */
const lists = [
  "getSymbolAtLocation",
  "getTypeAtLocation",
  "getTypeOfSymbol",
] as const satisfies readonly (keyof Sync.Checker)[]

type Ask = (subject: unknown) => unknown

/**
 * Returns the checker with a cache. If asked about many nodes at once, it knows the answer for each of them
 * afterwards.
 */
export function remembering(checker: Sync.Checker): Sync.Checker {
  const named = checker as unknown as Readonly<Record<string, Ask>>
  const ask = (name: string) => (subject: unknown) => named[name]?.call(checker, subject)
  const entries = [
    ...questions.map((name) => [name, { value: rememberOne(ask(name)) }] as const),
    ...lists.map((name) => [name, { value: rememberLists(ask(name)) }] as const),
  ]
  // Defined, not assigned: the checker of 7.1 has getters, which cannot be assigned to.
  return Object.create(checker, Object.fromEntries(entries)) as Sync.Checker
}

function rememberOne(ask: Ask, answers = new Map<unknown, unknown>()): Ask {
  return (subject) => {
    const known = answers.get(subject)
    if (known !== undefined || answers.has(subject)) return known
    const answer = ask(subject)
    answers.set(subject, answer)
    return answer
  }
}

function rememberLists(ask: Ask): Ask {
  const answers = new Map<unknown, unknown>()
  const askOne = rememberOne(ask, answers)
  return (subject) => {
    if (!Array.isArray(subject)) return askOne(subject)
    const all: readonly unknown[] = subject
    const unknown = all.filter((one) => !answers.has(one))
    if (unknown.length === 1) answers.set(unknown[0], ask(unknown[0]))
    else if (unknown.length > 1) {
      const found = ask(unknown) as readonly unknown[]
      for (const [i, one] of unknown.entries()) answers.set(one, found[i])
    }
    return all.map((one) => answers.get(one))
  }
}
