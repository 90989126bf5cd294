/** Questions to a person at a terminal, asked only if `io.interactive` is true. */
import { emitKeypressEvents, type Key } from "node:readline"
import { type Io, viewOf } from "./terminal.ts"

/** The user cancelled the question. The command ends as after Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
}

/** A possible answer. */
export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  /** Short description. */
  readonly hint: string
}

type PromptIo = Pick<Io, "stdin" | "stdout" | "env" | "signal">

/**
 * Lets the user choose with the arrow keys, or a number, and Enter. The first choice is the default.
 *
 * @throws Interrupted for Ctrl-C, Ctrl-D, Escape, or input that ends.
 */
export async function choose<Value extends string>(
  question: string,
  choices: readonly Choice<Value>[],
  io: PromptIo,
): Promise<Value> {
  const { stdin, stdout, env } = io
  const { style } = viewOf(stdout, env)
  const width = Math.max(...choices.map(({ label }) => label.length))
  let at = 0
  const lines = () =>
    choices.map(({ label, hint }, index) => {
      const text = `${index + 1}  ${label.padEnd(width)}`
      const mark = index === at ? style.cyan(`  › ${text}`) : `    ${text}`
      return `${mark}  ${style.dim(hint)}\n`
    })
  stdout.write(`  ${style.bold(question)} ${style.dim("(arrow keys, then Enter)")}\n${lines().join("")}`)
  const end = (text: string) =>
    stdout.write(`\x1b[${choices.length + 1}A\r\x1b[J  ${style.bold(question)} ${text}\n`)
  try {
    for await (const { key, text } of keysOf(stdin, io.signal)) {
      if (key.name === "return" || key.name === "enter") break
      if (isCancel(key)) throw new Interrupted()
      const by = stepOf(key)
      const number = Number(text)
      if (by !== 0) at = (at + by + choices.length) % choices.length
      else if (number >= 1 && number <= choices.length) at = number - 1
      else continue
      stdout.write(`\x1b[${choices.length}A\r\x1b[J${lines().join("")}`)
    }
  } catch (error) {
    end(style.dim("stopped"))
    throw error
  }
  const chosen = choices[at] as Choice<Value>
  end(style.cyan(chosen.label))
  return chosen.value
}

/** Options of a question with a text as its answer. */
export interface TextQuestion {
  /** The answer if only Enter is pressed. */
  readonly suggested: string
  /** Returns why an answer is not valid, or null. */
  readonly check: (answer: string) => Promise<string | null>
}

/**
 * Lets the user type a line. Asks again with the reason while the answer is not valid.
 *
 * @throws Interrupted for Ctrl-C, Ctrl-D, Escape, or input that ends.
 */
export async function askText(
  question: string,
  { suggested, check }: TextQuestion,
  io: PromptIo,
): Promise<string> {
  const { stdin, stdout, env } = io
  const { style } = viewOf(stdout, env)
  const start = `  ${style.bold(question)} `
  const show = (typed: string) =>
    stdout.write(`\r\x1b[K${start}${typed === "" ? `${style.dim(`(${suggested})`)} ` : style.cyan(typed)}`)
  let typed = ""
  show(typed)
  try {
    for await (const { key, text } of keysOf(stdin, io.signal)) {
      if (isCancel(key)) throw new Interrupted()
      if (key.name === "return" || key.name === "enter") {
        typed = typed.trim() || suggested
        show(typed)
        const problem = await check(typed)
        stdout.write("\n")
        if (problem === null) break
        stdout.write(`  ${style.red(problem)}\n`)
        typed = ""
      } else typed = edited(typed, key, text)
      show(typed)
    }
  } catch (error) {
    stdout.write("\n")
    throw error
  }
  return typed
}

/** Returns a line after a key was pressed. */
function edited(line: string, { name, ctrl, meta }: Key, text: string): string {
  if (name === "backspace") return [...line].slice(0, -1).join("")
  if (ctrl && name === "u") return ""
  return ctrl || meta || /\p{Cc}/u.test(text) ? line : line + text
}

function isCancel({ name, ctrl }: Key): boolean {
  return name === "escape" || (ctrl === true && (name === "c" || name === "d"))
}

function stepOf({ name, shift }: Key): number {
  if (name === "down" || name === "j" || (name === "tab" && !shift)) return 1
  return name === "up" || name === "k" || name === "tab" ? -1 : 0
}

interface Pressed {
  readonly key: Key
  readonly text: string
}

/** Keys that were typed before their question was asked. */
const typedAhead = new WeakMap<Io["stdin"], Pressed[]>()

/** Yields the pressed keys until the reader stops. */
async function* keysOf(stdin: Io["stdin"], signal: AbortSignal): AsyncGenerator<Pressed> {
  const terminal = stdin as NodeJS.ReadStream
  const pressed = typedAhead.get(stdin) ?? []
  typedAhead.set(stdin, pressed)
  let ended = terminal.readableEnded
  let wake = () => {}
  const take = (text: string | undefined, key: Key) => {
    pressed.push({ key, text: text ?? "" })
    wake()
  }
  const close = () => {
    ended = true
    wake()
  }
  emitKeypressEvents(stdin)
  stdin.on("keypress", take).once("end", close)
  signal.addEventListener("abort", close, { once: true })
  terminal.setRawMode?.(true)
  stdin.resume()
  try {
    for (;;) {
      const next = pressed.shift()
      if (next) yield next
      else if (signal.aborted) throw signal.reason
      else if (ended) throw new Interrupted()
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    terminal.setRawMode?.(false)
    stdin.pause()
    stdin.off("keypress", take).off("end", close)
    signal.removeEventListener("abort", close)
  }
}
