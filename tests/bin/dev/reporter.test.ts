/** Tests of how many problems the reporter of `fw dev` shows in the terminal. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { Reporter } from "../../../bin/dev/problems/reporter.ts"
import type { Problem } from "../../../bin/project/problems.ts"
import { fakeIo } from "../../support/bin/cli/command.ts"

function problems(count: number): Problem[] {
  return Array.from({ length: count }, (_, i) => ({ message: `problem ${i}`, file: `app/${i}.ts` }))
}

const reports: [name: string, report: (to: Reporter, found: Problem[]) => void, kind: string, end: string][] = [
  ["errors", (to, found) => to.showProblems(found), "error", ""],
  ["warnings of the checks", (to, found) => to.showWarnings("checks", found), "warning", " fw validate lists all."],
  ["warnings of the types", (to, found) => to.showWarnings("types", found), "warning", " fw validate lists all."],
  ["warnings of the bundler", (to, found) => to.showWarnings("bundle", found), "warning", ""],
]

for (const [name, report, kind, end] of reports) {
  for (const count of [1, 20, 21, 500]) {
    test(`the terminal shows at most 20 of ${count} ${name}, and the number of the others`, () => {
      const { io, stderr } = fakeIo()
      const reporter = new Reporter(io)
      const found = problems(count)
      report(reporter, found)
      const shown = stderr().match(/problem \d+$/gm) ?? []
      assert.equal(
        shown,
        found.slice(0, 20).map(({ message }) => message),
      )
      const more = count > 20 ? `${count - 20} more ${kind}${count > 21 ? "s" : ""}.${end}` : undefined
      assert.is(/^\d+ more .*$/m.exec(stderr())?.[0], more)
      assert.is((kind === "error" ? reporter.problems : reporter.warnings).length, count)
    })
  }
}

test.run()
