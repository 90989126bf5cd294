/**
 * Tests that docs/reference/openapi.md is true: its files make a project, and each of its JSON blocks is part of
 * that project's document.
 */
import { readFileSync } from "node:fs"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { securityForms } from "../../../bin/openapi/document/security-schemes.ts"
import { generate } from "../../../bin/specs/openapi.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const text = readFileSync("docs/reference/openapi.md", "utf8")
const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code = ""]) => ({
  language,
  code,
}))

/** Returns the part of a value that another value mentions. */
function part(value: unknown, shown: unknown): unknown {
  if (typeof shown !== "object" || shown === null || Array.isArray(shown)) return value
  if (typeof value !== "object" || value === null) return value
  const known = value as Record<string, unknown>
  return Object.fromEntries(Object.entries(shown).map(([key, inner]) => [key, part(known[key], inner)]))
}

test("every JSON block of openapi.md is a part of the document that fw makes for the files in openapi.md", async () => {
  const files = blocks.flatMap(({ language, code }) => {
    const name = language === "ts" && /^\/\/ (\S+)\n/.exec(code)?.[1]
    return name ? [[name, code] as const] : []
  })
  const cwd = makeProject(Object.fromEntries(files), ["fw", "typescript"])
  const ran = await fw(["openapi", "generate", "--json"], { cwd })
  assert.equal(JSON.parse(ran.stdout).data.warnings, [])
  const { paths } = JSON.parse(readFileSync(`${cwd}/openapi.json`, "utf8"))
  const shown = blocks.filter(({ language }) => language === "json").map(({ code }) => JSON.parse(code))
  assert.is(shown.length, 2)
  for (const block of shown) assert.equal(part(paths, block), block)
  const [first] = shown
  assert.equal(Object.keys(paths["/api/tasks/{id}"].get), Object.keys(first["/api/tasks/{id}"].get))
})

test("an operationId in a comment is kept, and using the same operationId twice is a warning", async () => {
  const route = (id: string, method = "Get") =>
    `import type { Context } from "fw"\n/** Answers.${id && `\n * @operationId ${id}`} */\nexport const ${method} = (c: Context) => c.noContent()\n`
  const cwd = makeProject(
    {
      "app/a/b/route.ts": route(""),
      "app/all/route.ts": route("every", "All"),
      "app/c/route.ts": route("getAB"),
      "app/d/route.ts": route("getAB"),
    },
    ["fw", "typescript"],
  )
  const ran = await fw(["openapi", "generate", "--json"], { cwd })
  const warnings: { message: string; at: { file: string; line: number } }[] = JSON.parse(ran.stdout).data.warnings
  assert.equal(
    warnings.map(({ message, at }) => `${at.file}:${at.line}: ${message}`),
    ["app/d/route.ts:4: GET /c has the operationId getAB, too"],
  )
  const { paths } = JSON.parse(readFileSync(`${cwd}/openapi.json`, "utf8"))
  const ids = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as object).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  )
  assert.equal(ids, [
    "get /a/b getAB3",
    "get /all every",
    "post /all every2",
    "put /all every3",
    "patch /all every4",
    "delete /all every5",
    "get /c getAB",
    "get /d getAB2",
  ])
})

test("every flag of fw openapi generate and every form of @security is in the tables of openapi.md", () => {
  const names = Object.keys(generate.flags)
  for (const name of names) assert.match(text, new RegExp(`^\\| \`--${name}\``, "m"))
  for (const form of securityForms.split(/, | or /)) {
    const [word = ""] = form.split(" ")
    assert.match(text, new RegExp(`^\\| .*\`${word}\\b`, "m"))
  }
})

test.run()
