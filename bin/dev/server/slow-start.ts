/** Reports a program that takes long to start while requests wait for it. */
import { readFile } from "node:fs/promises"
import { toPosition } from "../../../lib/scan/tokens.ts"
import { readTokens } from "../../project/module-tokens.ts"
import { locateProblem, type Problem } from "../../project/problems.ts"

/** After this time, a slow start is reported, in milliseconds. The message contains the same time. */
export const maxStartMs = 5000
/** After this time, the process is asked whether its modules wait, so that the answer arrives before the report. */
export const askAfterMs = maxStartMs - 1000

const slowMessage = "the program has not started after 5 seconds, and requests wait for it"
const waitingFix =
  "Its modules wait for something, such as an await outside of a function. Give it a time limit, or do not wait for it before the program serves."
const busyFix =
  "On a busy machine it may only need more time. If nothing else uses the processor, its modules run without a pause: look for a loop that does not end. A save starts the program again."

/** Matches tokens that end a statement or begin one. */
const statementBoundary = /^(?:;|\}|const|let|var|import|export)$/

/**
 * Returns the warning about a slow start, at the first `await` of the program that is not inside a function.
 *
 * @param inputs absolute paths of the program's files.
 * @param isBusy true if the program runs without a pause.
 */
export async function explainSlowStart(root: string, inputs: Iterable<string>, isBusy: boolean): Promise<Problem> {
  if (isBusy) return { message: slowMessage, fix: busyFix }
  const problem = { message: slowMessage, fix: waitingFix }
  for (const file of inputs) {
    if (!/\.[cm]?[jt]sx?$/.test(file) || file.endsWith(".tpl.ts")) continue
    const source = await readFile(file, "utf8").catch(() => "")
    const at = findAwait(source, file)
    if (at !== undefined)
      return locateProblem(root, file, { ...toPosition(source, at), length: "await".length }, problem)
  }
  return problem
}

/** Returns the offset of the first `await` that is neither inside brackets nor in an async arrow function. */
function findAwait(source: string, file: string): number | undefined {
  if (!source.includes("await")) return undefined
  const outer = readTokens(file, source).filter(({ depth }) => depth === 0)
  let isAsync = false
  for (const { text, start } of outer) {
    if (text === "await" && !isAsync) return start
    if (text === "async") isAsync = true
    else if (statementBoundary.test(text)) isAsync = false
  }
  return undefined
}
