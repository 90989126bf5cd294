/** Checks and encodes what a program passes to a store. */
import { findLossyPart } from "../lossy-part.ts"
import type { Position } from "./engine.ts"
import { storeFault } from "./fault.ts"
import type { Capability, Store } from "./types.ts"

/** Maximum number of characters of a key. An index of PostgreSQL allows at most 2,704 bytes. */
const maxKeyLength = 512
/**
 * The longest time that a call accepts: a hundred years. With more, times in microseconds would not be safe integers.
 */
export const maxSeconds = 3_155_760_000
const maxEntries = 1_000_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL cannot store U+0000.
const invalidCharacter = /[\u0000\ud800-\udfff]/u

/** The methods of each capability, for the check of a store that the program has written itself. */
const methodsByCapability: Readonly<Record<Capability, readonly string[]>> = {
  kv: ["get", "set", "delete", "compareAndSet"],
  counter: ["hit"],
  lock: ["acquire", "renew", "release"],
  topic: ["publish", "subscribe"],
  log: ["append", "read"],
}

/** Returns true for a valid key. */
export function isValidKey(key: unknown): key is string {
  return typeof key === "string" && key !== "" && key.length <= maxKeyLength && !invalidCharacter.test(key)
}

/** Checks a key. @throws FwError `store` */
export function checkKey(call: string, key: unknown): asserts key is string {
  if (!isValidKey(key)) throw storeFault("store.argument", [call, "the key", key, "key"])
}

/**
 * Returns a value as JSON. @throws FwError `store` if JSON cannot represent it, or would change it without an error.
 */
export function encodeValue(call: string, value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (cause) {
    throw storeFault("store.value", [call, value], { cause })
  }
  if (text === undefined) throw storeFault("store.value", [call, value])
  const lossy = findLossyPart(value, text)
  if (lossy) throw storeFault("store.lossy", [call, lossy])
  return text
}

/** Returns seconds as whole milliseconds. @throws FwError `store` */
export function toMilliseconds(call: string, option: string, seconds: unknown): number {
  if (typeof seconds !== "number" || !(seconds >= 0.001 && seconds <= maxSeconds))
    throw storeFault("store.argument", [call, `the ${option}`, seconds, "seconds"])
  return Math.round(seconds * 1000)
}

/** Checks a number of entries. @throws FwError `store` */
export function checkCount(call: string, option: string, count: unknown): asserts count is number {
  if (!Number.isSafeInteger(count) || (count as number) < 1 || (count as number) > maxEntries)
    throw storeFault("store.count", [call, option, count, maxEntries])
}

/** Checks the token of a lock. @throws FwError `store` */
export function checkToken(call: string, token: unknown): asserts token is number {
  if (!Number.isSafeInteger(token)) throw storeFault("store.argument", [call, "the token", token, "token"])
}

/** Returns the id of the entry at a position. */
export function writeID({ epoch, number }: Position): string {
  return `${epoch}-${number}`
}

/** Returns the position for an id; undefined for other text, because a client may have sent it. */
export function readID(id: unknown): Position | undefined {
  const [, epoch, number] = (typeof id === "string" && /^(\d{1,16})-(\d{1,16})$/.exec(id)) || []
  return epoch === undefined ? undefined : { epoch: Number(epoch), number: Number(number) }
}

/**
 * Checks at the start of a program that a store has a capability.
 *
 * @param use the call that needs it, for the message: `session()`.
 * @throws FwError `store`
 */
export function checkCapability(store: unknown, capability: Capability, use: string): void {
  const { engine, capabilities } = Object(store) as Partial<Store>
  // A program may pass an object that has only some capabilities, such as { kv }, and no list of them.
  const isListed = !capabilities || capabilities.includes(capability)
  const part: unknown = isListed ? (Object(store) as Partial<Store>)[capability] : undefined
  if (typeof part !== "object" || part === null) throw storeFault("store.capability", [use, capability, engine, store])
  const missing = methodsByCapability[capability].filter((name) => typeof Reflect.get(part, name) !== "function")
  if (missing.length > 0) throw storeFault("store.methods", [use, capability, missing])
}
