/** Tests of `fw format`: files, `--check`, standard input, settings and errors. */

import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { formatTemplates } from "../../../bin/format/format-templates.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { listFiles } from "../../support/structure.ts"
import { root } from "../../support/tsc.ts"

const sound = "template Page() {\n  <p>x</p>\n}\n"
const loose = "template Page() {<p>x</p>}"
const broken = "template Page() {<p>x}\n"
const manifest = { "package.json": "{}" }
const read = (directory: string, file: string) => readFileSync(join(directory, file), "utf8")

test("fw format formats all .tpl files of a project, and changes no other files", async () => {
  const cwd = project({
    ...manifest,
    "app/page.tpl": loose,
    "app/a/page.tpl": sound,
    "app/page.ts": "const  a = 1",
    "node_modules/a/page.tpl": loose,
  })
  const before = statSync(join(cwd, "app/a/page.tpl")).mtimeMs
  const { code, stdout } = await fw(["format"], { cwd })
  assert.equal([code, stdout], [0, "  formatted      app/page.tpl\n  unchanged      1 file\n"])
  assert.is(read(cwd, "app/page.tpl"), sound)
  assert.is(read(cwd, "app/page.ts"), "const  a = 1")
  assert.is(read(cwd, "node_modules/a/page.tpl"), loose)
  assert.is(statSync(join(cwd, "app/a/page.tpl")).mtimeMs, before)
  assert.equal(readdirSync(join(cwd, "app")).sort(), ["a", "page.tpl", "page.ts"])
})

test("fw format formats only the files and directories that are named, also from a subdirectory of the project", async () => {
  const cwd = project({ ...manifest, "app/a.tpl": loose, "app/b/c.tpl": loose, "app/d.tpl": loose })
  const { stdout } = await fw(["format", "a.tpl", "b", "--json"], { cwd: join(cwd, "app") })
  assert.equal(JSON.parse(stdout).data, { changed: ["app/a.tpl", "app/b/c.tpl"], unchanged: 0, check: false })
  assert.is(read(cwd, "app/d.tpl"), loose)
})

test("fw format --check writes nothing, lists the files that are not formatted, and exits with 1", async () => {
  const cwd = project({ ...manifest, "app/a.tpl": loose, "app/b.tpl": sound })
  const { code, stdout } = await fw(["format", "--check"], { cwd })
  assert.equal([code, stdout], [1, "  not formatted  app/a.tpl\n  unchanged      1 file\n"])
  assert.is(read(cwd, "app/a.tpl"), loose)
  assert.is((await fw(["format", "--check", "app/b.tpl"], { cwd })).code, 0)
})

test("fw format --stdin formats standard input and prints only the result", async () => {
  const cwd = project({ ...manifest, ".editorconfig": "[*.tpl]\nindent_style = tab\n" })
  const world = { cwd, input: loose }
  const { code, stdout } = await fw(["format", "--stdin", "app/page.tpl"], world)
  assert.equal([code, stdout], [0, sound.replaceAll("  ", "\t")])
  const check = await fw(["format", "--stdin", "app/page.tpl", "--check"], world)
  assert.equal([check.code, check.stdout], [1, "  not formatted  app/page.tpl\n"])
  assert.is((await fw(["format", "--stdin", "page.ts"], world)).code, 1)
})

test("a file with an error stays as it is, the other files are written, and the exit code is 1", async () => {
  const cwd = project({ ...manifest, "app/a.tpl": broken, "app/b.tpl": loose })
  const { code, stderr } = await fw(["format"], { cwd })
  assert.is(code, 1)
  assert.match(stderr, "app/a.tpl:1:18")
  assert.match(stderr, "<p> is never closed")
  assert.equal([read(cwd, "app/a.tpl"), read(cwd, "app/b.tpl")], [broken, sound])
})

test("a file that is not UTF-8 stays as it is", async () => {
  const cwd = project(manifest)
  const bytes = Buffer.concat([Buffer.from(loose), Buffer.from([0xff])])
  writeFileSync(join(cwd, "page.tpl"), bytes)
  const { code, stderr } = await fw(["format"], { cwd })
  assert.is(code, 1)
  assert.match(stderr, "this is not UTF-8")
  assert.ok(readFileSync(join(cwd, "page.tpl")).equals(bytes))
})

test("files that are not templates of the project are refused", async () => {
  const cwd = project({ ...manifest, "app/page.ts": "" })
  const outside = project({ "page.tpl": loose })
  symlinkSync(outside, join(cwd, "link"))
  const codes = async (name: string) => JSON.parse((await fw(["format", name, "--json"], { cwd })).stdout).error.code
  assert.is(await codes("app/page.ts"), "format_file")
  assert.is(await codes("app/missing.tpl"), "format_file")
  assert.is(await codes("../page.tpl"), "outside")
  assert.is(await codes("link/page.tpl"), "outside")
  assert.is(read(outside, "page.tpl"), loose)
})

test("fw format keeps a byte order mark and CRLF, and ends each file with one line break", async () => {
  const forms = [
    [`\ufeff${loose}`, `\ufeff${sound}`],
    [`const a = 1\r\n${loose}\r\n\r\n`, `const a = 1\r\n${sound.replaceAll("\n", "\r\n")}`],
    ["const a = 1", "const a = 1\n"],
    ["", ""],
    ["\n\n", ""],
  ] as const
  const cwd = project({ ...manifest, ...Object.fromEntries(forms.map(([text], at) => [`a${at}.tpl`, text])) })
  assert.is((await fw(["format"], { cwd })).code, 0)
  for (const [at, [, form]] of forms.entries()) assert.is(read(cwd, `a${at}.tpl`), form)
  assert.is((await fw(["format", "--check"], { cwd })).code, 0)
})

const settings: readonly (readonly [files: Readonly<Record<string, string>>, indent: string])[] = [
  [{ ".editorconfig": "root = true\n[*]\nindent_size = 3\n" }, "   "],
  [{ ".editorconfig": "[*.{ts,tpl}]\nindent_style=tab\n[*.md]\nindent_style=space\n" }, "\t"],
  [{ ".editorconfig": "[app/**.tpl]\nindent_size=4\n", "app/.editorconfig": "[*]\nindent_size=1" }, " "],
  [{ ".editorconfig": "[lib/*]\nindent_size=4\n; a comment\n[{]\nindent_size=5" }, "  "],
  [{ ".editorconfig": "[[!x]age.tpl]\nindent_size=tab\ntab_width=5" }, "     "],
]

for (const [files, indent] of settings) {
  test(`the indentation comes from ${JSON.stringify(files)}`, async () => {
    const cwd = project({ ...manifest, ...files, "app/page.tpl": loose })
    await fw(["format"], { cwd })
    assert.is(read(cwd, "app/page.tpl"), sound.replace("  ", indent))
  })
}

test("max_line_length in .editorconfig limits the width of the lines", async () => {
  const cwd = project({ ...manifest, ".editorconfig": "[*]\nmax_line_length = 30\n" })
  const words = "template Page() {aaaa bbbb cccc dddd eeee ffff gggg}\n"
  const { stdout } = await fw(["format", "--stdin", "a.tpl"], { cwd, input: words })
  assert.is(stdout, "template Page() {\n  aaaa bbbb cccc dddd eeee\n  ffff gggg\n}\n")
})

/** A package that replaces Prettier: it counts its calls, and adds a semicolon to constants. */
const prettier = `module.exports = {
  resolveConfig: async () => ({ useTabs: true, tabWidth: 4, printWidth: 30 }),
  format: async (text, { parser, useTabs, filepath }) => {
    if (parser !== "typescript" || !useTabs || !filepath.endsWith(".tpl.ts")) throw new Error("options")
    if (text.includes("fail")) throw new Error("syntax")
    return text.replace(/^(const \\w+ = \\d+)$/gm, "$1;").replace(/: never$/gm, ": never;")
  },
}
`

test("Prettier formats the TypeScript around templates if it is installed", async () => {
  const script = `const a = 1\n${loose} // why\nconst b = 2\n\ntemplate B() {y}\n`
  const cwd = project({
    ...manifest,
    "node_modules/prettier/package.json": '{"name":"prettier","main":"index.js"}',
    "node_modules/prettier/index.js": prettier,
    "a.tpl": script,
    "b.tpl": `const fail = 1\n${loose}\n`,
  })
  const { code, stderr } = await fw(["format"], { cwd })
  assert.equal([code, stderr], [0, ""])
  const tabs = sound.replaceAll("  ", "\t")
  assert.is(read(cwd, "a.tpl"), `const a = 1;\n${tabs.trimEnd()} // why\nconst b = 2;\n\ntemplate B() {\n\ty\n}\n`)
  assert.is(read(cwd, "b.tpl"), `const fail = 1\n${tabs}`)
})

/** A program that replaces Biome: it records each call, and reduces double spaces to one. */
const biome = `
const { appendFileSync, readFileSync } = require("node:fs")
const text = readFileSync(0, "utf8")
appendFileSync("calls.txt", process.argv.slice(2).join(" ") + "\\n")
if (text.includes("fail")) process.exit(1)
process.stdout.write(text.replace(/ {2,}=/g, " ="))
`

test("Biome formats the TypeScript of all files in one call, and skips code that it cannot read", async () => {
  const files = {
    ...manifest,
    "biome.json": '{ /* ours */ "formatter": { "indentStyle": "space", "indentWidth": 4, }, }',
    "node_modules/@biomejs/biome/package.json": '{"name":"@biomejs/biome"}',
    "node_modules/@biomejs/biome/bin/biome": biome,
    "a.tpl": `const a   = 1\n${loose}\n`,
    "b/b.tpl": `const b   = 1\n${loose}\nconst c   = 2`,
    "c.tpl": loose,
  }
  const cwd = project(files)
  assert.equal((await fw(["format"], { cwd })).stderr, "")
  const template = sound.replace("  ", "    ")
  assert.is(read(cwd, "a.tpl"), `const a = 1\n${template}`)
  assert.is(read(cwd, "b/b.tpl"), `const b = 1\n${template}const c = 2\n`)
  assert.is(read(cwd, "c.tpl"), template)
  assert.is(read(cwd, "calls.txt"), "format --stdin-file-path=fw-format.ts\n")

  writeFileSync(join(cwd, "a.tpl"), `const fail   = 1\n${loose}\n`)
  writeFileSync(join(cwd, "b/b.tpl"), files["b/b.tpl"])
  assert.is((await fw(["format"], { cwd })).code, 0)
  assert.is(read(cwd, "a.tpl"), `const fail   = 1\n${template}`)
  assert.is(read(cwd, "b/b.tpl"), `const b = 1\n${template}const c = 2\n`)
})

/** Returns every template of the fixtures, the examples and the documentation. */
function everyTemplate(): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of listFiles(["tests/fixtures/template", "examples", "scaffold", "bench"], ".tpl")) {
    if (!file.includes("node_modules")) found.set(file, read(root, file))
  }
  for (const file of listFiles(["docs"], ".md")) {
    const blocks = read(root, file).matchAll(/^```tpl.*\n([\s\S]*?)^```$/gm)
    for (const [at, [, text = ""]] of [...blocks].entries()) found.set(`${file} ${at}.tpl`, text)
  }
  return found
}

test("every template of this repository prints the same after formatting, and formatting the result again changes nothing", () => {
  const form = (text: string, file: string, lineWidth: number) => {
    const style = { indentWidth: 2, useTabs: false, lineWidth, lineEnding: "\n" } as const
    const { parts, diagnostics } = formatTemplates(text, file, style)
    const wrong = diagnostics.filter(({ message }) => message.startsWith("fw format"))
    assert.equal(wrong, [], file)
    return diagnostics.length > 0 ? undefined : parts.map((part) => part.text).join("")
  }
  let count = 0
  for (const [file, text] of everyTemplate()) {
    for (const width of [100, 40]) {
      const once = form(text, file, width)
      if (once === undefined) continue
      count++
      assert.is(form(once, file, width), once, file)
    }
  }
  assert.ok(count > 120, `only ${count} templates were formatted`)
})

test("a directory with the name of a template is not read as a template", async () => {
  const cwd = project(manifest)
  mkdirSync(join(cwd, "page.tpl"))
  writeFileSync(join(cwd, "page.tpl", "a.tpl"), loose)
  assert.is((await fw(["format", "page.tpl"], { cwd })).code, 0)
  assert.is(read(cwd, "page.tpl/a.tpl"), sound)
})

test.run()
