/** Reports the steps of longer work as they are done; on a terminal with an animated line. */
import { type Io, viewOf } from "./terminal.ts"

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
/** Time after which a step without output is shown, in milliseconds. */
const patience = 1000

/** Reports of a step. */
export interface Step {
  /** Sets a detail, such as a count, shown while the step runs on a terminal. */
  note(text: string): void
}

/** Reports steps one after the other. */
export class Progress {
  readonly #io: Pick<Io, "stdout" | "env">

  constructor(io: Pick<Io, "stdout" | "env">) {
    this.#io = io
  }

  /** Reports something that took no time. */
  tell(text: string): void {
    const { stdout, env } = this.#io
    stdout.write(`  ${viewOf(stdout, env).style.green("✓")} ${text}\n`)
  }

  /**
   * Runs a step.
   *
   * @param doing its name while it runs: "Installing packages".
   * @param done its result as text: "Packages installed"; null to print nothing.
   */
  async step<T>(
    doing: string,
    work: (step: Step) => Promise<T>,
    done: (result: T) => string | null,
  ): Promise<T> {
    const { stdout, env } = this.#io
    const { style } = viewOf(stdout, env)
    const moves = stdout.isTerminal && env.TERM !== "dumb"
    const began = performance.now()
    let note = ""
    let frame = 0
    const tick = () => {
      const seconds = Math.floor((performance.now() - began) / 1000)
      const after = [seconds > 0 ? `${seconds} s` : "", note].filter(Boolean).join(", ")
      const line = `${doing}${after ? ` (${after})` : ""}`.slice(0, Math.max(10, stdout.columns - 5))
      stdout.write(`\r\x1b[K  ${style.cyan(frames[frame++ % frames.length] as string)} ${style.dim(line)}`)
    }
    if (moves) tick()
    const timer = moves ? setInterval(tick, 100) : setTimeout(() => stdout.write(`  … ${doing}\n`), patience)
    try {
      const result = await work({ note: (text) => (note = text) })
      const text = done(result)
      if (moves) stdout.write("\r\x1b[K")
      if (text !== null) this.tell(text)
      return result
    } catch (error) {
      if (moves) stdout.write("\r\x1b[K")
      throw error
    } finally {
      clearInterval(timer)
    }
  }
}
