/** Asks questions at a terminal. Callers check `io.interactive` first. */
import { once } from "node:events"
import { createInterface } from "node:readline"
import { Writable } from "node:stream"
import { createView, type Io } from "./terminal.ts"

/** Thrown when the user cancels a question. The command ends as after Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
}

/** A possible answer. */
export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  /** A short description. */
  readonly hint: string
}

type PromptIo = Pick<Io, "stdin" | "stdout" | "env" | "signal">

/**
 * Lets the user choose by a number. The first choice is the default.
 *
 * @throws Interrupted for Ctrl-C, Ctrl-D, or input that ends.
 */
export async function choose<Value extends string>(
  question: string,
  choices: readonly Choice<Value>[],
  io: PromptIo,
): Promise<Value> {
  const { style } = createView(io.stdout, io.env)
  const width = Math.max(...choices.map(({ label }) => label.length))
  const lines = choices.map(({ label, hint }, index) => {
    return `    ${style.cyan(`${index + 1}`)}  ${label.padEnd(width)}  ${style.dim(hint)}\n`
  })
  io.stdout.write(`  ${style.bold(question)}\n${lines.join("")}`)
  for (;;) {
    const answer = (await readLine(`  Number ${style.dim("(1)")} `, io)).trim()
    const choice = choices[answer === "" ? 0 : Number(answer) - 1]
    if (choice) return choice.value
    io.stdout.write(`  ${style.red(`Write a number from 1 to ${choices.length}.`)}\n`)
  }
}

/** A question that is answered with a text. */
export interface TextQuestion {
  /** The answer for Enter without a text. */
  readonly suggested: string
  /** Returns the reason why an answer is not valid, or null. */
  readonly check: (answer: string) => Promise<string | null>
}

/**
 * Lets the user type a line. Asks again, with the reason, while the answer is not valid.
 *
 * @throws Interrupted for Ctrl-C, Ctrl-D, or input that ends.
 */
export async function askText(question: string, { suggested, check }: TextQuestion, io: PromptIo): Promise<string> {
  const { style } = createView(io.stdout, io.env)
  for (;;) {
    const start = `  ${style.bold(question)} ${style.dim(`(${suggested})`)} `
    const answer = (await readLine(start, io)).trim() || suggested
    const problem = await check(answer)
    if (problem === null) return answer
    io.stdout.write(`  ${style.red(problem)}\n`)
  }
}

/** Lines that the user typed before the question was asked. */
const pendingLines = new WeakMap<Io["stdin"], string[]>()

async function readLine(question: string, { stdin, stdout, signal }: PromptIo): Promise<string> {
  const lines = pendingLines.get(stdin) ?? []
  pendingLines.set(stdin, lines)
  const output = new Writable({
    write(chunk, _encoding, done) {
      stdout.write(String(chunk))
      done()
    },
  })
  const reader = createInterface({ input: stdin, output, terminal: true, prompt: question })
  reader.on("line", (line) => lines.push(line))
  reader.prompt()
  try {
    const isOpen = lines.length === 0 && !(stdin as NodeJS.ReadStream).readableEnded
    if (isOpen) await Promise.race(["line", "close"].map((event) => once(reader, event, { signal })))
    const line = lines.shift()
    if (line === undefined) throw new Interrupted()
    return line
  } catch (error) {
    stdout.write("\n")
    throw signal.aborted ? signal.reason : error
  } finally {
    reader.close()
  }
}
