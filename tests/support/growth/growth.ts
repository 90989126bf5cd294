/**
 * Measures how the number of a function's steps grows with the length of its input. If hostile input doubles in
 * length, the steps may only double: with a quadratic parser of a header, one client could stop the server.
 */
import { attackOn, listExpressions } from "./expressions.ts"
import { countNatives } from "./natives.ts"
import { countSteps, type Steps } from "./steps.ts"

/** A type of hostile text. */
export interface Attack {
  readonly name: string
  /** Returns a text of about `length` characters. */
  readonly make: (length: number) => string
}

/** Returns an attack that repeats one piece between a beginning and an end. */
export function repeated(piece: string, before = "", after = ""): Attack {
  return {
    name: JSON.stringify([before, piece, after]).slice(1, -1),
    make: (length) => {
      const count = Math.max(1, Math.floor((length - before.length - after.length) / piece.length))
      return before + piece.repeat(count) + after
    },
  }
}

/** The largest exponent that counts as linear. A sort has 1.1, nested loops have 2, and a half of them 1.5. */
export const mostGrowth = 1.3

/**
 * Pairs of lengths in characters. A table that doubles its size causes a leap in the steps, but not between both
 * pairs.
 */
const lengths = [
  [1024, 4096],
  [1536, 6144],
] as const

const shortest = 16

/** Steps that are added to each count: they hide what a function does only once, and what V8 does besides. */
const unnoticed: Steps = { blocks: 1000, bytes: 65_536, characters: 1000 }
const kinds = ["blocks", "bytes", "characters"] as const

/** The steps that grow fastest. */
export interface Growth {
  readonly kind: keyof Steps
  /** The steps grow as `length ** exponent`: 1 is linear, 2 is quadratic. */
  readonly exponent: number
  /** The regular expressions that were run. */
  readonly expressions: ReadonlySet<RegExp>
}

type Run = (text: string) => unknown

/**
 * Runs a function with texts of growing length, one attack after the other, and returns the steps that grow
 * fastest.
 */
export async function growth(run: Run, attacks: readonly Attack[]): Promise<Growth> {
  let growth: Growth | undefined
  // V8 sometimes uses much memory for itself in the middle of a count, so growth counts only if it is found twice.
  for (const [short, long] of [...lengths, ...lengths]) {
    const few = await countSteps(() => runAll(run, attacks, short))
    const many = await countSteps(() => runAll(run, attacks, long))
    const growths = kinds.map((kind) => {
      const ratio = (many[kind] + unnoticed[kind]) / (few[kind] + unnoticed[kind])
      return { kind, exponent: Math.log(ratio) / Math.log(long / short), expressions: many.expressions }
    })
    growth = growths.reduce((most, next) => (next.exponent > most.exponent ? next : most))
    if (growth.exponent <= mostGrowth) break
  }
  return growth as Growth
}

async function runAll(run: Run, attacks: readonly Attack[], length: number): Promise<void> {
  for (const { make } of attacks) await run(flat(make(length)))
}

/**
 * The number of attacks that are counted together, which is faster, and the exponent from which they are counted
 * one by one.
 */
const together = 40
const suspicious = 1.1

/**
 * Checks that a function reads every text in linear time.
 *
 * @throws Error that names the function and the text, if its steps grow faster than `length ** mostGrowth`, or
 * names the regular expression that it ran, if that takes more than linear time for any text.
 */
export async function assertLinear(parser: string, run: Run, attacks: readonly Attack[]): Promise<void> {
  for (let at = 0; at < attacks.length; at += together) {
    const some = attacks.slice(at, at + together)
    // The first texts are so short that even an exponential expression ends.
    const { expressions } = await countNatives(() => runAll(run, some, shortest))
    assertExpressions(parser, expressions)
    const { exponent, expressions: later } = await growth(run, some)
    assertExpressions(parser, later)
    for (const attack of exponent > suspicious ? some : []) await assertLinearFor(parser, run, attack)
  }
}

async function assertLinearFor(parser: string, run: Run, attack: Attack): Promise<void> {
  const { kind, exponent } = await growth(run, [attack])
  if (exponent <= mostGrowth) return
  throw new Error(`${parser}: the ${kind} grow as length ** ${exponent.toFixed(2)} for ${attack.name}`)
}

/** Expressions in the sources. `tests/slow/growth-expressions.test.ts` checks them, so they are not analysed here. */
const decided = listExpressions()

function assertExpressions(parser: string, expressions: ReadonlySet<RegExp>): void {
  for (const { source, flags } of expressions) {
    if (decided.has(`/${source}/${flags}`)) continue
    const attack = attackOn(source, flags)
    if (attack) throw new Error(`${parser} runs /${source}/${flags}, which is not linear for ${attack}`)
  }
}

/**
 * Returns the text in one piece. V8 joins a text of parts when it is first read, which must not count as a step of
 * the parser.
 */
function flat(text: string): string {
  // Texts from a connection have one byte per character, for which V8 runs other code than for two bytes.
  const encoding = /[\u0100-\uffff]/.test(text) ? "utf16le" : "latin1"
  return Buffer.from(text, encoding).toString(encoding)
}
