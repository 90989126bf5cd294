/** Tests of `export const mcp` in a route file: which handlers it offers, and the problems that it can have. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { FwError } from "../../../lib/errors.ts"
import { readHandlers } from "../../../lib/scan/conventions.ts"
import { readModule } from "../../../lib/scan/exports.ts"

/** Reads a route file with these handlers. Returns the offered handlers, and the problems. */
function read(source: string, handlers: readonly string[] = ["Get", "Post"]) {
  const problems: FwError[] = []
  const functions = handlers.map((name) => `export function ${name}(c) {}\n`).join("")
  const module = readModule(`${source}\n${functions}`, { file: "app/route.ts", allowsJSX: false })
  const found = readHandlers(module, (problem) => problems.push(problem))
  return { offered: found.flatMap(({ name, mcp }) => (mcp ? [name] : [])), problems }
}

for (const [source, ...offered] of [
  [""],
  ["export const mcp = true", "Get"],
  ["export const mcp = true;", "Get"],
  ["export const mcp: boolean = true", "Get"],
  ["export const mcp = true as const", "Get"],
  ["export const mcp = false"],
  ["export const mcp = []"],
  ['export const mcp = ["Post"]', "Post"],
  ["export const mcp = ['Post', 'Get',]", "Get", "Post"],
  ['export const mcp = ["Get", "Post"] as const', "Get", "Post"],
  ['export const mcp = ["Get"] satisfies string[]', "Get"],
  ['/** Offered. */\nexport const mcp = [\n  "Get", // one\n  "Post",\n]', "Get", "Post"],
  ["const mcp = true"],
  ["export type mcp = true"],
] as const) {
  test(`${JSON.stringify(source)} offers ${offered.join(", ") || "nothing"}`, () => {
    const { offered: found, problems } = read(source)
    assert.equal(found, offered)
    assert.equal(problems, [])
  })
}

for (const [source, code, pattern] of [
  ["export const mcp = yes", "mcp_export", /not a literal/],
  ["export const mcp = !0", "mcp_export", /not a literal/],
  ["export const mcp = true && no", "mcp_export", /not a literal/],
  ['export const mcp = "Get"', "mcp_export", /not a literal/],
  ["export const mcp = [Get]", "mcp_export", /not a literal/],
  ['export const mcp = ["Get"].concat(x)', "mcp_export", /not a literal/],
  ['export const mcp = ["Get" "Post"]', "mcp_export", /not a literal/],
  ["export function mcp() {}", "mcp_export", /not a literal/],
  ['export { mcp } from "./x.ts"', "mcp_export", /not a literal/],
  ['export const mcp = ["GET"]', "mcp_export", /names "GET", which cannot be offered/],
  ['export const mcp = ["All"]', "mcp_export", /names "All"/],
  ['export const mcp = ["Get", "Delete"]', "mcp_export", /does not export a handler Delete/],
  ["export const MCP = true", "exports", /Did you mean mcp\?/],
  ["export const Mcp = true", "exports", /Did you mean mcp\?/],
  ["export const mpc = true", "exports", /Did you mean mcp\?/],
] as const) {
  test(`${JSON.stringify(source)} offers nothing and is a problem`, () => {
    const { offered, problems } = read(source)
    assert.equal(offered, [])
    assert.equal(
      problems.map((problem) => problem.code),
      [code],
    )
    assert.match(problems[0]?.message ?? "", pattern)
    assert.is(problems[0]?.at?.line, 1)
  })
}

test("export const mcp = true requires a handler Get", () => {
  const { offered, problems } = read("export const mcp = true", ["Post"])
  assert.equal(offered, [])
  assert.match(problems[0]?.fix ?? "", /export const mcp = \["Post"\]/)
})

test.run()
