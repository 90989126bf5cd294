/** Reports the steps of a longer task when they are done. On a terminal, a running step has an animated line. */
import { createView, type Io } from "./terminal.ts"

const spinnerFrames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
/** Without a terminal, a step that takes longer than this is announced, in milliseconds. */
const showAfterMs = 1000

/** Reports details of a running step. */
export interface StepReporter {
  /** Sets a detail, such as a count, that a terminal shows while the step runs. */
  note(text: string): void
}

/** Reports steps that run one after the other. */
export class Progress {
  readonly #io: Pick<Io, "stdout" | "env">

  constructor(io: Pick<Io, "stdout" | "env">) {
    this.#io = io
  }

  /** Reports something that is done already. */
  report(text: string): void {
    const { stdout, env } = this.#io
    stdout.write(`  ${createView(stdout, env).style.green("✓")} ${text}\n`)
  }

  /**
   * Runs a step and reports its result.
   *
   * @param stepName the name while it runs: "Installing packages".
   * @param describeResult returns the result as text: "Packages installed"; null to print nothing.
   */
  async runStep<T>(
    stepName: string,
    work: (step: StepReporter) => Promise<T>,
    describeResult: (result: T) => string | null,
  ): Promise<T> {
    const { stdout, env } = this.#io
    const { style } = createView(stdout, env)
    const isAnimated = stdout.isTerminal && env.TERM !== "dumb"
    const startedAt = performance.now()
    let note = ""
    let frame = 0
    const draw = () => {
      const seconds = Math.floor((performance.now() - startedAt) / 1000)
      const detail = [seconds > 0 ? `${seconds} s` : "", note].filter(Boolean).join(", ")
      const line = `${stepName}${detail ? ` (${detail})` : ""}`.slice(0, Math.max(10, stdout.columns - 5))
      stdout.write(
        `\r\x1b[K  ${style.cyan(spinnerFrames[frame++ % spinnerFrames.length] as string)} ${style.dim(line)}`,
      )
    }
    if (isAnimated) draw()
    const timer = isAnimated ? setInterval(draw, 100) : setTimeout(() => stdout.write(`  … ${stepName}\n`), showAfterMs)
    try {
      const result = await work({ note: (text) => (note = text) })
      const text = describeResult(result)
      if (isAnimated) stdout.write("\r\x1b[K")
      if (text !== null) this.report(text)
      return result
    } catch (error) {
      if (isAnimated) stdout.write("\r\x1b[K")
      throw error
    } finally {
      clearInterval(timer)
    }
  }
}
