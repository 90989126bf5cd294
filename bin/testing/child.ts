/**
 * Loaded into every process of a test run. It writes errors and answers, which Node's test runner does not pass on,
 * into files next to the bundle.
 */
import { appendFileSync, realpathSync, writeFileSync } from "node:fs"
import { setDevHooks } from "../../lib/dev/hooks.ts"
import { ProgramSources } from "../dev/bundle/program-sources.ts"
import { watchAnswers } from "../dev/types/sent-answers.ts"
import { toErrorData } from "../project/error-data.ts"
import { findBundledTest } from "./bundle-name.ts"

/** The largest size of all stored answers, in characters. */
const maxTextLength = 20_000_000

const [, program = ""] = process.argv
// A program that a test starts may inherit the flags and load this module too.
if (findBundledTest(program) !== undefined) {
  const bundle = realpathSync(program)
  keepError(`${bundle}.error`)
  keepAnswers(bundle)
}

/**
 * Stores the first uncaught error. If it occurs after its test has ended, Node's runner reports only that the file
 * failed.
 */
function keepError(file: string): void {
  let isKept = false
  const keep = (error: unknown) => {
    if (!isKept) writeFileSync(file, JSON.stringify(toErrorData(error)))
    isKept = true
  }
  process.on("uncaughtExceptionMonitor", keep)
  process.on("unhandledRejection", (error) => {
    keep(error)
    // The runner has a listener too. Before it is added, Node ends the process.
    if (process.listenerCount("unhandledRejection") === 1) throw error
  })
}

/**
 * Stores the answers of the program, as a line of JSON each, without duplicates. They are compared with their types
 * after the tests.
 */
function keepAnswers(bundle: string): void {
  const sources = new ProgramSources(process.cwd(), { bundle, patches: [] })
  const storedLines = new Set<string>()
  let charactersLeft = maxTextLength
  const onAnswer = watchAnswers({
    sources: () => sources,
    // Does not delay the work, because a test may end the process.
    runLater: (work) => work(),
    report: (answer) => {
      const line = `${JSON.stringify(answer)}\n`
      if (storedLines.has(line) || line.length > charactersLeft) return
      storedLines.add(line)
      charactersLeft -= line.length
      appendFileSync(`${bundle}.answers`, line)
    },
  })
  setDevHooks({ onAnswer })
}
