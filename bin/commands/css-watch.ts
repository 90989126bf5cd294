/** `fw css watch`: compiles the project's styles again on every change, until it is stopped. */

import { Interrupted } from "../cli/prompt.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { createView, type Io, throwIfInterrupted } from "../cli/terminal.ts"
import { ensureCSS } from "../css/binary.ts"
import { prepareCSS, standardOutput } from "../css/compile.ts"
import { CSSWatcher } from "../css/watch.ts"
import { usageError } from "../messages/usage.ts"
import { findStyles } from "../project/static-dir.ts"
import type * as specs from "../specs/css.ts"

/**
 * Watches until Ctrl-C.
 *
 * @throws FwError if the compiler cannot run or exits by itself.
 */
export async function run({ input, output: requestedOutput }: OptionsOf<typeof specs.watch>, io: Io): Promise<void> {
  const output = requestedOutput ?? findStyles(io.cwd).output
  if (output === standardOutput) throw usageError("usage.watch_stdout")
  const { signal } = io
  const job = { cwd: io.cwd, input, output, fix: "Name another file with --output." }
  await prepareCSS(job)
  const { path } = await ensureCSS(io)
  const { formatFailure } = await import("../cli/failure.ts")
  const { style } = createView(io.stdout, io.env)
  const watcher = await CSSWatcher.start(path, job, {
    onBuilt: (time) => io.stdout.write(`${style.green("built")} ${output} ${style.dim(`in ${time}`)}\n`),
    onProblem: (error) => io.stderr.write(formatFailure(error, io)),
  })
  const stop = () => void watcher.stop()
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  const stopSignal = await watcher.ended
  throwIfInterrupted(signal)
  if (stopSignal === "SIGINT") throw new Interrupted()
}
