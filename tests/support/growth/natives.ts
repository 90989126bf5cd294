/**
 * Counts the characters, bytes and elements that built-in functions may read or write. V8's counts of executed
 * blocks do not include them: `text.indexOf("a")` is one step of a program, however long the text is.
 *
 * The result of a built-in function is counted by its length, a search by the searched part, and any other call by
 * the length of all arguments. A part of a text counts as one, because V8 shares its characters with the whole.
 */

import { charactersRead } from "./reach.ts"

type Native = (this: unknown, ...args: unknown[]) => unknown
/** Returns the work of one call. */
type Weigh = (self: unknown, args: readonly unknown[], result: unknown) => number

/** The work of built-in functions during a run. */
export interface NativeWork {
  readonly characters: number
  /** The regular expressions that were run. */
  readonly expressions: ReadonlySet<RegExp>
}

function measureLength(value: unknown): number {
  return typeof value === "string" || Array.isArray(value) || value instanceof Uint8Array ? value.length : 0
}

const whole: Weigh = (self, [first], result) => measureLength(self) + measureLength(first) + measureLength(result)
const ofResult: Weigh = (_self, _args, result) => measureLength(result)
/** Counts a part of a text as one step, because V8 shares its characters. Many parts are many steps. */
const ofPart: Weigh = () => 1
const ofArgument: Weigh = (_self, [first]) => measureLength(first)
/** Counts `join`, which reads the elements of its array. */
const ofJoined: Weigh = (self, _args, result) => measureLength(self) + measureLength(result)
/** Counts `splice`, which moves the elements after its position. */
const ofSplice: Weigh = (self, [start], result) =>
  measureLength(result) +
  measureLength(self) -
  (typeof start === "number" ? Math.min(Math.max(0, start), measureLength(self)) : 0)

/** Counts `indexOf(wanted, from)`: the length from the start to the found position, or to the end. */
const searched: Weigh = (self, [wanted, from], result) => {
  const start = typeof from === "number" ? from : 0
  const end = (result as number) < 0 ? measureLength(self) : (result as number) + measureLength(wanted)
  return Math.max(0, end - start)
}
const searchedBack: Weigh = (self, [, from], result) => {
  const start = typeof from === "number" ? Math.min(from, measureLength(self)) : measureLength(self)
  return Math.max(0, start - Math.max(0, result as number))
}
const { indexOf: indexInText } = String.prototype
const { indexOf: indexInArray } = Array.prototype
const included: Weigh = (self, args, result) => {
  const find = (typeof self === "string" ? indexInText : indexInArray) as Native
  return searched(self, args, result ? find.call(self, ...args) : -1)
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
/** The functions that are counted, by the object that has them. */
const weights: readonly [owner: object, weigh: Weigh, names: string][] = [
  [String.prototype, whole, "concat localeCompare normalize replace replaceAll split"],
  [String.prototype, whole, "toLowerCase toLocaleLowerCase toUpperCase toLocaleUpperCase toWellFormed isWellFormed"],
  [String.prototype, whole, "trim trimEnd trimStart"],
  [String.prototype, ofResult, "padEnd padStart repeat"],
  [String.prototype, ofPart, "slice substr substring"],
  [String.prototype, ofArgument, "endsWith startsWith"],
  [Array.prototype, whole, "concat copyWithin fill flat reverse shift sort toReversed toSorted toSpliced unshift with"],
  [Array.prototype, ofResult, "slice"],
  [Array.prototype, ofSplice, "splice"],
  [Array.prototype, ofJoined, "join toString"],
  [typedArray, whole, "copyWithin fill join reverse sort toReversed toSorted toString with"],
  [typedArray, ofResult, "slice"],
  [typedArray, ofArgument, "set"],
  [Buffer.prototype, whole, "compare copy equals fill toString write"],
  [Buffer, ofResult, "alloc allocUnsafe concat from"],
  [Buffer, whole, "byteLength compare"],
  ...[String.prototype, Array.prototype, typedArray, Buffer.prototype].flatMap((owner): typeof weights => [
    [owner, searched, "indexOf"],
    [owner, searchedBack, "lastIndexOf"],
    [owner, included, "includes"],
  ]),
  [globalThis, whole, "atob btoa decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape"],
  [globalThis, whole, "parseFloat parseInt"],
  [Number, whole, "parseFloat parseInt"],
  [JSON, whole, "parse stringify"],
  [TextDecoder.prototype, whole, "decode"],
  [TextEncoder.prototype, whole, "encode encodeInto"],
]

/** Counts what built-in functions do while a function runs. Two runs cannot be counted at the same time. */
export async function countNatives(run: () => unknown): Promise<NativeWork> {
  let characters = 0
  let isCounting = true
  const expressions = new Set<RegExp>()
  const undo: (() => void)[] = []

  function replace(owner: object, name: PropertyKey, replacement: (native: Native) => Native): void {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name)
    if (typeof descriptor?.value !== "function") return
    const value = replacement(descriptor.value)
    Object.defineProperty(owner, name, { ...descriptor, value })
    undo.push(() => Object.defineProperty(owner, name, descriptor))
  }

  for (const [owner, weigh, names] of weights)
    for (const name of names.split(" "))
      replace(
        owner,
        name,
        (native) =>
          function (this: unknown, ...args) {
            const result = native.apply(this, args)
            if (isCounting) characters += weigh(this, args, result)
            return result
          },
      )

  // All other ways to run an expression call this function.
  replace(
    RegExp.prototype,
    "exec",
    (native) =>
      function (this: unknown, ...args) {
        const expression = this as RegExp
        const isKept = expression.global || expression.sticky
        const start = isKept ? expression.lastIndex : 0
        const match = native.apply(this, args) as RegExpExecArray | null
        if (!isCounting) return match
        expressions.add(expression)
        isCounting = false
        characters += charactersRead(expression, String(args[0]), start, match)
        isCounting = true
        return match
      },
  )
  // This function would try a sticky copy of the expression at every position.
  replace(
    RegExp.prototype,
    Symbol.split,
    (native) =>
      function (this: unknown, ...args) {
        const before = isCounting
        isCounting = false
        const result = native.apply(this, args)
        isCounting = before
        if (isCounting) expressions.add(this as RegExp)
        return result
      },
  )
  try {
    await run()
  } finally {
    isCounting = false
    for (const restore of undo.reverse()) restore()
  }
  return { characters, expressions }
}
