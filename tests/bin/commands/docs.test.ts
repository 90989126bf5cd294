/** Tests of `fw docs`, which searches the pages that come with fw. */
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { packageDirectory } from "../../../bin/system/package.ts"
import { fw, project } from "../../support/bin/cli/command.ts"

const cwd = project({})
const directory = join(packageDirectory, "docs")

for (const [args, expected] of [
  [["signed", "cookies"], /^Signed cookies {2}\S+\/docs\/reference\/context\.md:\d+\n {2}\S/],
  [["signed", "cookies", "--limit", "1"], /\n\n\d+ more: add words, or --limit or --offset\.\n$/],
  [["qqxz"], /^No page has "qqxz"\. Try other words\.\n$/],
  [[], /^The documentation of fw \S+ is in \S+\/docs\. Begin with README\.md.*\n.*__fw\/docs\/\n$/],
] as const) {
  test(`the output of ${["fw docs", ...args].join(" ")} matches ${expected}`, async () => {
    const { code, stdout, stderr } = await fw(["docs", ...args], { cwd })
    assert.equal([code, stderr], [0, ""])
    assert.match(stdout, expected)
  })
}

test("fw docs --json prints the sections as data, and --offset leaves out the first sections", async () => {
  const read = async (...args: string[]) => JSON.parse((await fw(["docs", "htmx", ...args, "--json"], { cwd })).stdout)
  const { data } = await read("--limit", "2")
  assert.equal([data.query, data.directory, data.hits.length], ["htmx", directory, 2])
  const rest = await read("--limit", "1", "--offset", "1")
  assert.equal(rest.data.hits, [data.hits[1]])
})

test.run()
