/**
 * Runs on Node the cases of the contract that no other test runs. `npm run test:runtimes` runs all cases on every
 * runtime.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { afterAnswerOnNode } from "../support/contract/after-answer.ts"
import { allCases } from "../support/contract/all.ts"
import { differenceNames } from "../support/contract/differences.ts"
import { fileCases } from "../support/contract/files.ts"
import { leavingCases } from "../support/contract/leaving.ts"
import { methodCases } from "../support/contract/methods.ts"
import { mountedCases } from "../support/contract/mounted.ts"
import { multipartCases } from "../support/contract/multipart.ts"
import { partCases } from "../support/contract/parts.ts"
import { contract } from "../support/contract/runner.ts"
import { streamingCases } from "../support/contract/streaming.ts"
import { targetCases } from "../support/contract/targets.ts"
import { unsentCases } from "../support/contract/unsent.ts"
import { uploadCases } from "../support/contract/uploads.ts"
import { root } from "../support/tsc.ts"

test("the contract has at least 1,000 cases, and no two have the same title", () => {
  assert.ok(allCases.length >= 1000, `there are only ${allCases.length} cases`)
  assert.is(new Set(allCases.map(({ subject, name }) => `${subject}: ${name}`)).size, allCases.length)
})

test("fewer than ten differences between runtimes are allowed, and runtimes.md lists each of them", () => {
  assert.ok(differenceNames.length < 10)
  const page = readFileSync(join(root, "docs/operations/runtimes.md"), "utf8")
  const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` \|.*\|.*\|$/gm)].map(([, name]) => name)
  for (const name of differenceNames) assert.ok(listed.includes(name), `runtimes.md does not list ${name}`)
  const table = page.slice(page.indexOf("## What differs"))
  assert.is([...table.matchAll(/^\| `/gm)].length, differenceNames.length)
})

contract(fileCases)
contract(leavingCases)
contract(methodCases)
contract(mountedCases)
contract(streamingCases)
contract(targetCases)
contract(uploadCases)
contract(partCases)
contract(multipartCases)
contract(unsentCases)
contract(afterAnswerOnNode)
test.run()
