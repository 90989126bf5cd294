/**
 * Measures how the time of a function grows with the length of its input. Hostile input that doubles in length may
 * double the time, and no more: a quadratic parser of a header lets one client stop the server.
 *
 * The measurement is made for noisy machines: the processor time of this process or the wall clock, whichever is less;
 * the least of several runs; and, as the unit, one plain pass over a text of the same length.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** A kind of hostile text. */
export interface Attack {
  readonly name: string
  /** A text of about `length` characters. */
  readonly make: (length: number) => string
}

/** A text that repeats one piece between a beginning and an end. */
export function repeated(piece: string, before = "", after = ""): Attack {
  return {
    name: JSON.stringify([before, piece, after]).slice(1, -1),
    make: (length) => {
      const count = Math.max(1, Math.floor((length - before.length - after.length) / piece.length))
      return before + piece.repeat(count) + after
    },
  }
}

/** The text to measure. */
export interface Measured {
  /** Characters of the longest text. Default: 1 MiB. */
  readonly longest?: number
  /** Number of times that the length doubles. Default: 4. */
  readonly doublings?: number
}

/**
 * The largest exponent that counts as linear: `length ** 1.35`. Memory is slower than a processor's caches, which other
 * processes fill too, so that linear work on long texts was seen to grow as `length ** 1.27` on a busy machine. The
 * least that a loop in a loop was seen to grow is `length ** 1.5`.
 */
export const mostGrowth = 1.35
/** Most measurements of a text before its growth counts. */
const rounds = 20
/** The exponent from which a short text is enough to show the growth, so that the long ones need not be waited for. */
const steepGrowth = 1.5
/** Most measurements that confirm it. */
const confirmations = 10

type Run = (text: string) => unknown

/**
 * The exponent `e` of a function whose time grows as `length ** e` over the last doublings before the longest text.
 * 1 is linear, 2 is quadratic.
 */
export async function growth(run: Run, make: Attack["make"], options: Measured = {}): Promise<number> {
  const { longest = 2 ** 20, doublings = 4 } = options
  const ladder = new Ladder(run, make, longest)
  for (let round = 0; round < rounds; round++) {
    // The short texts come first: what is quadratic shows there, and would take minutes with the long ones.
    for (let halvings = doublings + (round === 0 ? 6 : 0); halvings >= 0; halvings--) {
      // A text at the end of the ladder could only take less time when it is measured again.
      await ladder.measure(halvings, halvings < doublings - 1 ? 1 : 2)
      if (await ladder.isSteep(halvings, doublings)) return ladder.exponent(halvings, doublings)
    }
    if (ladder.growth(doublings) <= mostGrowth) break
  }
  return ladder.growth(doublings)
}

/** The least times of texts of doubling lengths. A text is named by how often the longest is halved. */
class Ladder {
  readonly #run: Run
  readonly #make: Attack["make"]
  readonly #longest: number
  readonly #texts: string[] = []
  readonly #least: number[] = []

  constructor(run: Run, make: Attack["make"], longest: number) {
    this.#run = run
    this.#make = make
    this.#longest = longest
  }

  /** Measures one text: twice at first, so that a function that is not compiled yet does not look slow. */
  async measure(halvings: number, first = 2): Promise<void> {
    this.#texts[halvings] ??= flat(this.#make(this.#longest >> halvings))
    const text = this.#texts[halvings] as string
    const again = this.#least[halvings] !== undefined
    // What others left behind is collected while a text is measured, and the longest texts pay for it.
    if (again) collectGarbage()
    for (let left = again ? 1 : first; left > 0; left--) {
      const time = Math.max(passTime(text.length), await timeOf(this.#run, text))
      this.#least[halvings] = Math.min(this.#least[halvings] ?? Number.POSITIVE_INFINITY, time)
      if (time > 1) break
    }
  }

  /** The exponent over the doublings before a text; 0 where they are not measured. */
  exponent(halvings: number, doublings: number): number {
    const [last, first] = [this.#least[halvings], this.#least[halvings + doublings]]
    return last === undefined || first === undefined ? 0 : Math.log2(last / first) / doublings
  }

  /**
   * The exponent over some doublings before the longest text, and over all but the first of them: the lesser one. What
   * grows too fast does so from every length on. What takes a step where a text no longer fits into a processor's
   * cache is linear before and after it.
   */
  growth(doublings: number): number {
    return Math.min(this.exponent(0, doublings), this.exponent(0, doublings - 1))
  }

  /**
   * Returns true if the time grows so fast up to a text that longer ones need not be measured. A single measurement does
   * not count: when other processes take the machine for a moment, one text of a linear function looks slow.
   */
  async isSteep(halvings: number, doublings: number): Promise<boolean> {
    for (let left = confirmations; left >= 0; left--) {
      if (this.exponent(halvings, doublings) <= steepGrowth || !this.#isDear(halvings)) return false
      if (left > 0) await this.measure(halvings)
    }
    return true
  }

  /** Returns true if a text takes much longer than a plain pass over it. */
  #isDear(halvings: number): boolean {
    return (this.#least[halvings] ?? 0) > 30 * passTime(this.#longest >> halvings)
  }
}

/** @throws Error that names the parser and the text, if the time grows faster than `length ** mostGrowth`. */
export async function assertLinear(
  parser: string,
  run: Run,
  attack: Attack,
  options?: Measured,
): Promise<void> {
  const exponent = await growth(run, attack.make, options)
  if (exponent > mostGrowth)
    throw new Error(`${parser} takes time that grows as length ** ${exponent.toFixed(2)} for ${attack.name}`)
}

/**
 * Looks at many texts quickly: throws as {@link assertLinear} does, but measures closely only where a text of 256 KiB
 * takes suspiciously long in comparison with one of 16 KiB.
 */
export async function screen(parser: string, run: Run, attacks: readonly Attack[]): Promise<void> {
  for (const attack of attacks) {
    const ladder = new Ladder(run, attack.make, 2 ** 18)
    await ladder.measure(4)
    // Another measurement could only be less, so that one is enough where it is already small.
    await ladder.measure(2, 1)
    if (await ladder.isSteep(2, 2)) await assertLinear(parser, run, attack)
    await ladder.measure(0, 1)
    if (ladder.exponent(0, 4) > mostGrowth) await ladder.measure(0)
    if (ladder.exponent(0, 4) > mostGrowth) await assertLinear(parser, run, attack)
  }
}

/** The text in one piece: a text made of parts is joined when it is read first, which is not the parser's time. */
function flat(text: string): string {
  // Texts of a connection have one byte per character, where V8 takes other ways than with two.
  const encoding = /[\u0100-\uffff]/.test(text) ? "utf16le" : "latin1"
  return Buffer.from(text, encoding).toString(encoding)
}

/** Seconds, of the processor or of the clock. Both can be too large on a busy machine; neither is too small. */
async function timeOf(run: Run, text: string): Promise<number> {
  const begun = performance.now()
  const usage = process.cpuUsage()
  await run(text)
  const { user, system } = process.cpuUsage(usage)
  return Math.min((performance.now() - begun) / 1e3, (user + system) / 1e6)
}

/** Seconds that one plain pass over a text of this length takes. Less than that is not worth a comparison. */
function passTime(length: number): number {
  return pace() * length
}

let paced: number | undefined

/** Seconds per character of a plain pass, measured once. */
function pace(): number {
  if (paced !== undefined) return paced
  const text = flat("pace".repeat(2 ** 16))
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round++) {
    const begun = performance.now()
    const sum = sumOf(text)
    least = Math.min(least, (performance.now() - begun) / 1e3 + (sum < 0 ? 1 : 0))
  }
  paced = least / text.length
  return paced
}

function sumOf(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i)
  return sum
}
