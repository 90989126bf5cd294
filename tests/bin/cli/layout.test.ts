/**
 * Tests of text in terminals of any width: tables whose rows do not fit, folded lines, and commands in narrow
 * terminals and in pipes.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { foldLines, formatTable } from "../../../bin/cli/layout.ts"
import { fw, project } from "../../support/bin/cli/command.ts"

const layout = suite("layout")

const rows = [
  ["GET", "/users", "app/users/route.ts"],
  ["DELETE", "/users/{id}/a-long-way", "app/users/[id]/a-long-way/route.ts"],
  ["GET", "/x", "app/x/route.ts"],
]

layout("a row that does not fit has its last cell on the next line, and other rows stay as they are", () => {
  const whole = formatTable(rows)
  assert.is(formatTable(rows, undefined, 68), whole)
  assert.is(
    formatTable(rows, undefined, 60),
    `  GET     /users                  app/users/route.ts
  DELETE  /users/{id}/a-long-way
            app/users/[id]/a-long-way/route.ts
  GET     /x                      app/x/route.ts
`,
  )
})

layout("a table breaks no cell and loses no cell, at any width", () => {
  for (let width = 10; width < 100; width++) {
    const text = formatTable(rows, undefined, width)
    for (const cell of rows.flat())
      assert.ok(text.includes(cell), `the cell ${cell} is missing or broken in ${width} columns`)
    assert.equal(text.split(/\s+/).filter(Boolean), rows.flat(), `words are missing or broken in ${width} columns`)
    assert.ok(
      text.split("\n").every((line) => line === line.trimEnd()),
      `a line ends with blanks in ${width} columns`,
    )
  }
})

layout("colours of cells do not count for the width of columns", () => {
  const paint = (cell: string, column: number) => `<${column}${cell}>`
  assert.is(
    formatTable(
      [
        ["a", "b"],
        ["aa", "bb"],
      ],
      paint,
      4,
    ),
    "  <0a>\n    <1b>\n  <0aa>\n    <1bb>\n",
  )
  assert.is(formatTable([["a", "b"]], paint), "  <0a>  <1b>\n")
})

const folds: ReadonlyArray<readonly [text: string, width: number, folded: string]> = [
  ["one two three", 13, "one two three"],
  ["one two three", 12, "one two\n  three"],
  ["  one two three", 9, "  one two\n    three"],
  ["one\ntwo three", 5, "one\ntwo\n  three"],
  ["averylongword", 5, "averylongword"],
  ["  > 2 | const long = 'a line of code'", 10, "  > 2 | const long = 'a line of code'"],
  ["      |        ^^^^", 10, "      |        ^^^^"],
  ["one two three", Number.POSITIVE_INFINITY, "one two three"],
]
for (const [text, width, folded] of folds) {
  layout(`${JSON.stringify(text)} in ${width} columns is folded to ${JSON.stringify(folded)}`, () =>
    assert.is(foldLines(text, width), folded),
  )
}

layout.run()

const commands = suite("commands in a terminal")

const route = "export function Get() {}\n"
const cwd = project({
  "package.json": "{}",
  "app/api/a-rather-long-name/[id]/route.ts": route,
  "app/b/route.ts": route,
  "app/c/middleware.ts": "export function Middleware() {}\n",
})
const bad = project({ "app/api/a-rather-long-name/route.ts": "export const GET = 1\n" })

const lines: ReadonlyArray<readonly [argv: string[], cwd: string]> = [
  [["routes"], cwd],
  [["validate"], cwd],
  [["validate"], bad],
  [["routes"], bad],
  [["routes", "--explain", "/api/a-rather-long-name/x"], cwd],
  [["routes", "--explain", "/api/nothing"], cwd],
  [["generate", "route", "b/with/a/longer/../path/than/needed"], cwd],
  [["rotues"], cwd],
]
for (const [argv, place] of lines) {
  commands(`fw ${argv.join(" ")}: 60 columns break no word, and a pipe breaks no line`, async () => {
    const world = { cwd: place, env: { NO_COLOR: "1" } }
    const pipe = await fw(argv, world)
    const narrow = await fw(argv, { ...world, isTerminal: true, columns: 60 })
    const words = (ran: typeof pipe) => (ran.stdout + ran.stderr).split(/\s+/)
    assert.equal(words(narrow), words(pipe))
    const long = (narrow.stdout + narrow.stderr)
      .split("\n")
      .filter((line) => line.length > 60 && / {1,2}\S+ /.test(line.trim()))
    assert.equal(long, [])
  })
}

commands.run()
