/** Tests of the process of `fw dev` that reads types. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { FactsProcess } from "../../../bin/dev/types/facts-process.ts"
import { alive, makeProject } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: the process that reads types")

test("the process starts with the first question, ends when nothing is asked for some time, and starts again", async () => {
  const root = makeProject({ "app/route.ts": "export function Get() {}\n" })
  const facts = new FactsProcess({ root, appDir: "app" }, 10)
  assert.is(facts.pid, undefined)
  const pids: number[] = []
  for (let i = 0; i < 2; i++) {
    const answer = facts.ask("document")
    pids.push(facts.pid as number)
    assert.equal(await answer, { problems: [] })
    while (facts.pid !== undefined) await new Promise((resolve) => setImmediate(resolve))
  }
  assert.is(new Set(pids).size, 2)
  assert.equal(alive(pids), [])
  await facts.close()
})

test.run()
