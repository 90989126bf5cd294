/** Tests of sources that are changed before they are bundled: every position remains that of the original file. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Edit, rewriteSources } from "../../../bin/project/rewrite.ts"
import { compile } from "../../../template/index.ts"

/** Returns the changes: an argument for each call of `take()`, and a text at the start of the file. */
function createEdits(text: string): Edit[] {
  const calls = [...text.matchAll(/take<[^>]*>\(\s*(\))?/g)]
  const inserted = calls.map(({ 0: all, 1: closing, index }) => {
    const at = index + all.length - (closing ? 1 : 0)
    return { at, length: 0, text: closing ? "fw_validator" : "fw_validator, " }
  })
  const words = [...text.matchAll(/longerName/g)].map(({ index }) => ({
    at: index,
    length: 10,
    text: "fw_n",
  }))
  return [{ at: 0, length: 0, text: "const fw_n = 1; " }, ...inserted, ...words]
}

const end = 'import { validator as fw_validator } from "./validators.ts"'

/** Files with the names `mark1`, `mark2` and so on, which a minifier keeps. */
const files: ReadonlyArray<readonly [name: string, file: string, text: string]> = [
  ["before and after a call", "a.ts", "x.mark1(x.take<A>(), x.mark2())\nx.mark3()\n"],
  ["several calls on a line", "b.ts", "x.take<A>(); x.mark1(); x.take<B>(); x.mark2(x.take<C>(), x.mark3)\n"],
  ["a call over several lines", "c.ts", "x.take<\n  A,\n  B\n>(\n  // none\n)\n  .mark1()\nx.mark2()\n"],
  ["characters of two units", "d.ts", 'x.mark1("😀", x.take<A>(), "😀", x.mark2(), "é");x.mark3()\n'],
  ["line breaks of Windows", "e.ts", "x.mark1(\r\n  x.take<A>(), x.mark2)\r\nx.mark3()\r\n"],
  ["a line separator", "f.ts", 'x.mark1("a\u2028b"); x.take<A>(); x.mark2()\n'],
  ["elements", "g.tsx", "x.mark1(<b id={x.take<A>()}>\n  text {x.mark2(x.take<A>(), x.mark3)} {x.mark4}\n</b>)\n"],
  ["a replaced name", "h.ts", "x.mark1(longerName, x.mark2, longerName); x.mark3()\n"],
  ["an argument of its own", "i.ts", "x.take<A>({ a: x.mark1 }, x.mark2); x.mark3()\n"],
  ["no line break at the end", "j.ts", "x.take<A>().mark1 // last"],
]

const directory = realpathSync(mkdtempSync(join(tmpdir(), "fw-rewrite-")))
const positions = suite("positions")
const source = "export const validator = 1\n"

positions.after(() => rmSync(directory, { recursive: true, force: true }))

/** Bundles a file that is changed, and returns the original position of each mark. */
async function findPlaces(file: string, text: string, minify: boolean): Promise<Map<string, string>> {
  const path = join(directory, file)
  writeFileSync(join(directory, "validators.ts"), source)
  writeFileSync(path, text)
  const { outputFiles } = await build({
    absWorkingDir: directory,
    entryPoints: [path],
    outfile: join(directory, "out.mjs"),
    bundle: true,
    minify,
    write: false,
    sourcemap: "external",
    charset: "utf8",
    jsxFactory: "h",
    format: "esm",
    logLevel: "silent",
    external: ["fw/*"],
    plugins: [rewriteSources([path], (given) => ({ edits: createEdits(given), end }))],
  })
  const [map, code] = [".map", ".mjs"].map(
    (ending) => outputFiles.find((output) => output.path.endsWith(ending))?.text ?? "",
  ) as [string, string]
  assert.ok(code.includes("mark1"))
  const found = new Map<string, string>()
  const entries = new SourceMap(JSON.parse(map))
  for (const [line, content] of code.split("\n").entries()) {
    for (const { 0: mark, index } of content.matchAll(/mark\d/g)) {
      const entry = entries.findEntry(line, index)
      assert.ok("originalSource" in entry, `the source map has no position for ${mark}`)
      found.set(mark, `${entry.originalSource}:${entry.originalLine}:${entry.originalColumn}`)
    }
  }
  return found
}

/** Returns the position of each mark in a text. */
function written(file: string, text: string): Map<string, string> {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  return new Map(
    lines.flatMap((content, line) =>
      [...content.matchAll(/mark\d/g)].map(({ 0: mark, index }) => [mark, `${file}:${line}:${index}`] as const),
    ),
  )
}

for (const [name, file, text] of files) {
  for (const minify of [false, true]) {
    positions(`${name} keep${name.endsWith("s") ? "" : "s"} all positions${minify ? ", minified" : ""}`, async () => {
      assert.equal([...(await findPlaces(file, text, minify))].sort(), [...written(file, text)].sort())
    })
  }
}

positions("a compiled template has the positions of its .tpl", async () => {
  const template = `import { x } from "./x.ts"

export const a = [x.take<A>(), x.mark1(x.take<B>())]

template Page() {
  <p>{x.take<A>()} {x.mark2}</p>
}
`
  const { code } = compile(template, "page.tpl")
  writeFileSync(join(directory, "x.ts"), "export const x = globalThis as never\n")
  const found = await findPlaces("page.tpl.ts", code, false)
  const expected = written("page.tpl", template)
  for (const [mark, place] of found) assert.is(place, expected.get(mark))
  assert.ok(found.size > 0)
})

positions.run()
