/** The check of plain English in scripts/words.mjs: every banned form is found, every exception passes, and places are right. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../support/bin/cli/command.ts"

interface Rule {
  readonly find: RegExp
  readonly write: string
  readonly bad: readonly string[]
  readonly except?: readonly RegExp[]
  readonly good?: readonly string[]
  readonly only?: "doc"
}
interface Finding {
  readonly line: number
  readonly found: string
  readonly write: string
}

const scripts = fileURLToPath(new URL("../../../scripts/", import.meta.url))
const { rules, scope } = (await import(join(scripts, "plain-english.mjs"))) as {
  rules: readonly Rule[]
  scope: readonly string[]
}
const { check, filesOf } = (await import(join(scripts, "words.mjs"))) as {
  check(path: string, source: string): Finding[]
  filesOf(places: readonly string[]): string[]
}
const { run } = (await import(join(scripts, "common.mjs"))) as {
  run(program: string, args: readonly string[]): Promise<{ code: number; output: string }>
}

const list = suite("the list")

const findingsOf = ({ only, write }: Rule, text: string) =>
  check("a.ts", only === "doc" ? `/** ${text} */` : `/* ${text} */`).filter((found) => found.write === write)

for (const rule of rules) {
  list(`${rule.find} finds its bad texts and passes its good ones`, () => {
    assert.ok(rule.bad.length > 0)
    for (const text of rule.bad) assert.is.not(findingsOf(rule, text).length, 0, text)
    for (const text of rule.good ?? []) assert.equal(findingsOf(rule, text), [], text)
  })
  for (const form of rule.except ?? [])
    list(`${rule.find} needs its exception ${form}, and a good text shows it`, () => {
      assert.ok(rule.good?.some((text) => form.test(text) && rule.find.test(text)))
    })
}

list("every rule says what to write instead", () => {
  for (const { write } of rules) assert.match(write, /\w/)
})

list("the documents are checked", () => {
  const files = filesOf(scope)
  for (const path of ["README.md", "CONTRIBUTING.md"]) assert.ok(files.includes(path), path)
})

list.run()

const places = suite("places")

const cases: ReadonlyArray<readonly [what: string, path: string, source: string, lines: readonly number[]]> =
  [
    ["a paragraph", "a.md", "One.\n\nIt is\nbuilt anew.\n", [4]],
    ["a form over two lines of a paragraph", "a.md", "It is\nno port.\n", [1]],
    ["two rows of a table", "a.md", "| a | is |\n| no port | b |\n", []],
    ["two items of a list", "a.md", "- it is\n- no port\n", []],
    ["code in backticks", "a.md", "Run `mend` and `tell it`.\n", []],
    ["the target of a link", "a.md", "[a patch](mend-it.md)\n", []],
    ["a block of another language", "a.md", "```http\nGET /mend\n```\n\nanew\n", [5]],
    ["a comment of a shell block", "a.md", "```sh\nfw mend it # builds anew\n```\n", [2]],
    [
      "a comment and a message in a block",
      "a.md",
      '```ts\n// anew\nlog("mend it now")\nmend(1)\n```\n',
      [2, 3],
    ],
    ["a block in a list", "a.md", "- a\n\n  ```ts\n  // anew\n  mend(1)\n  ```\n", [4]],
    ["a comment", "a.ts", "const mend = 1 // mend it\n", [1]],
    ["a form over two lines of a comment", "a.ts", "/**\n * This is\n * no port.\n */\n", [2]],
    ["a form over two line comments", "a.ts", "// This is\n// no port.\n", [1]],
    ["a message", "a.ts", 'const a = "x"\nthrow new Error("Mend the file")\n', [2]],
    ["a name in a string", "a.ts", "const a = \"mend\"\nconst b = 'tell'\n", []],
    ["a template", "a.ts", `const a = \`line\n\${mend({ a: \`tell \${b}\` })} mend it\n\`\n`, [2, 2]],
    ["a template in a template", "a.ts", `const a = \`\${b ? \`mend \${it} now\` : ''}\`\n// anew\n`, [1, 2]],
    ["a regular expression", "a.ts", "const a = /it's \"mend it/\nconst b = f(/`/g) // anew\n", [2]],
    ["a division", "a.ts", "const a = b / 2 // anew\nconst c = d / 3\n", [1]],
    [
      "a doc comment that starts with a clause",
      "a.ts",
      "/** Whether it is there. */\n/* Whether not. */\n",
      [1],
    ],
    ["a template file", "page.tpl", "<p>Built anew</p>\n", [1]],
    ["a name in a template file", "page.tpl", "template Told(told: string) {\n  <p>{told}</p>\n}\n", []],
    ["a comment in a template file", "page.tpl", "/** Whether it is. */\n// anew\n<p>x</p>\n", [1, 2]],
  ]
for (const [what, path, source, lines] of cases) {
  places(`${what}: ${lines.length === 0 ? "nothing is found" : `line ${lines.join(" and ")}`}`, () => {
    assert.equal(
      check(path, source).map(({ line }) => line),
      lines,
    )
  })
}

places.run()

const program = suite("the script")

program("the script prints the place, the text and what to write, and fails", async () => {
  const directory = project({ "docs/a.md": "# A\n\nMend it.\n", "fixtures/b.md": "Mend it.\n" })
  const { code, output } = await run(process.execPath, [join(scripts, "words.mjs"), directory])
  assert.is(code, 1)
  assert.match(output, /docs\/a\.md:3: "Mend": write fix\n/)
  assert.not.match(output, /b\.md/)
  assert.match(output, /scripts\/plain-english\.mjs/)
})

program("the script ignores files that git ignores", async () => {
  const directory = project({
    ".gitignore": "*.tpl.ts\n",
    "pages/page.tpl.ts": "// Built anew.\n",
    "pages/page.ts": "// Mend it.\n",
  })
  await run("git", ["init", "--quiet", directory])
  const { output } = await run(process.execPath, [join(scripts, "words.mjs"), directory])
  assert.match(output, /^1 places /m)
  assert.match(output, /pages\/page\.ts:1: /)
})

program("the script prints nothing if nothing is found", async () => {
  const directory = project({ "a.md": "Fix it.\n" })
  assert.equal(await run(process.execPath, [join(scripts, "words.mjs"), directory]), { code: 0, output: "" })
})

program.run()
