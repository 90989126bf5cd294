/** Tests of job files in the route directory. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findProblems, scanFiles } from "../../support/lib/scan/scan-project.ts"

const Job = "/** Greets. */\nexport async function Job() {}\n"

test("a job has the name of its directory without groups, and its comment", async () => {
  const tree = await scanFiles({
    "app/mail/welcome/job.ts": Job,
    "app/(shop)/report/job.js": "export const Job = () => {}\n",
  })
  assert.equal(tree.jobs, [
    { name: "mail/welcome", file: "app/mail/welcome/job.ts", comment: "Greets." },
    { name: "report", file: "app/(shop)/report/job.js" },
  ])
})

test("a tree without job files has no list of jobs", async () => {
  assert.is("jobs" in (await scanFiles({ "app/api/route.ts": "export function Get() {}\n" })), false)
})

for (const [what, files, expected] of [
  ["at the top", { "app/job.ts": Job }, /at the top of the route directory/],
  ["twice", { "app/(a)/mail/job.ts": Job, "app/mail/job.ts": Job }, /both the job mail/],
  ["without the function", { "app/mail/job.ts": "export const options = {}\n" }, /Job/],
  ["with another name", { "app/mail/job.ts": "export function run() {}\n" }, /run.*Job|Job/],
  ["by default", { "app/mail/job.ts": "export default function Job() {}\n" }, /default/],
  ["as JSX", { "app/mail/job.tsx": Job }, /job\.ts/],
] as const)
  test(`a job file ${what} is an error`, async () => {
    const [problem] = await findProblems(files as Record<string, string>)
    assert.match(String(problem?.message) + String(problem?.fix), expected)
  })

test.run()
