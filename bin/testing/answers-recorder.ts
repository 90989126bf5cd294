/**
 * Loaded into every process of a test run: writes the answers of its program to the file in the query of this module's URL, a line
 * of JSON for each. `fw test` compares them with their types when the tests have ended.
 */
import { createHash } from "node:crypto"
import { appendFileSync, realpathSync } from "node:fs"
import { setDevHooks } from "../../lib/dev/hooks.ts"
import { RanSources } from "../dev/ran.ts"
import { watchAnswers } from "../dev/sent-answers.ts"
import type { RecordedAnswer } from "./answers.ts"

/** Most characters that one process writes. */
const most = 20_000_000

const directory = new URL(import.meta.url).searchParams.get("directory")
const [, bundle] = process.argv
if (directory !== null && bundle !== undefined) record(directory, bundle)

function record(directory: string, bundle: string): void {
  const file = `${directory}/${process.pid}.jsonl`
  const sources = new RanSources(process.cwd(), { bundle: realpathSync(bundle), patches: [] })
  const seen = new Set<string>()
  let left = most
  const onAnswer = watchAnswers({
    sources: () => sources,
    // A test may end the process.
    later: (work) => work(),
    pass: (answer) => {
      const line = `${JSON.stringify({ ...answer, bundle } satisfies RecordedAnswer)}\n`
      const hash = createHash("sha256").update(line).digest("base64")
      if (seen.has(hash) || line.length > left) return
      seen.add(hash)
      left -= line.length
      appendFileSync(file, line)
    },
  })
  setDevHooks({ onAnswer })
}
