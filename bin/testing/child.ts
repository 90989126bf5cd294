/** Loaded into every process of a test run: keeps in files next to the bundle what Node's test runner does not pass on. */
import { appendFileSync, realpathSync, writeFileSync } from "node:fs"
import { setDevHooks } from "../../lib/dev/hooks.ts"
import { ProgramSources } from "../dev/bundle/program-sources.ts"
import { watchAnswers } from "../dev/types/sent-answers.ts"
import { toErrorData } from "../project/error-data.ts"
import { findBundledTest } from "./bundle-name.ts"

/** Most characters of answers to keep. */
const maxTextLength = 20_000_000

const [, program = ""] = process.argv
// A program that a test starts may get the flags of its process.
if (findBundledTest(program) !== undefined) {
  const bundle = realpathSync(program)
  keepError(`${bundle}.error`)
  keepAnswers(bundle)
}

/** Keeps the first error that nothing catches. Of one that comes after its test, Node's runner says only that the file failed. */
function keepError(file: string): void {
  let isKept = false
  const keep = (error: unknown) => {
    if (!isKept) writeFileSync(file, JSON.stringify(toErrorData(error)))
    isKept = true
  }
  process.on("uncaughtExceptionMonitor", keep)
  process.on("unhandledRejection", (error) => {
    keep(error)
    // The runner listens as well. Before it does, Node itself would end the process.
    if (process.listenerCount("unhandledRejection") === 1) throw error
  })
}

/** Keeps the answers of the program, each once, a line of JSON for each. They are compared with their types when the tests have ended. */
function keepAnswers(bundle: string): void {
  const sources = new ProgramSources(process.cwd(), { bundle, patches: [] })
  const seen = new Set<string>()
  let charactersLeft = maxTextLength
  const onAnswer = watchAnswers({
    sources: () => sources,
    // A test may end the process.
    later: (work) => work(),
    pass: (answer) => {
      const line = `${JSON.stringify(answer)}\n`
      if (seen.has(line) || line.length > charactersLeft) return
      seen.add(line)
      charactersLeft -= line.length
      appendFileSync(`${bundle}.answers`, line)
    },
  })
  setDevHooks({ onAnswer })
}
