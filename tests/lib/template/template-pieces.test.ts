// A file that is compiled again after a change of one template is the same as one that is compiled as a whole.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { compileFor } from "../../../lib/template/compile.ts"
import { compilePieces, type Pieces } from "../../../lib/template/pieces.ts"
import { damage, fixtures } from "../../support/lib/template/damage.ts"
import { random } from "../../support/random.ts"

function check(pieces: Pieces, shown: string): void {
  const { code, copies, diagnostics } = compileFor("check", pieces.source, pieces.file)
  assert.equal(pieces.diagnostics, diagnostics, shown)
  assert.is(`${pieces.code}`, code.slice(0, code.lastIndexOf("//# sourceMappingURL=")), shown)
  assert.equal(pieces.copies, copies, shown)
}

test("after random edits, also with errors between them", () => {
  const numbers = random(11)
  let reused = 0
  for (const fixture of fixtures) {
    let pieces = compilePieces(fixture, "/a/page.tpl")
    for (let round = 0; round < 12; round++) {
      const source = round % 4 === 3 ? fixture : damage(pieces.source, numbers).source
      const next = compilePieces(source, "/a/page.tpl", pieces)
      check(next, `${JSON.stringify(pieces.source)} → ${JSON.stringify(source)}`)
      if (next.pieces.some((piece) => pieces.pieces.some(({ code }) => code === piece.code))) reused++
      pieces = next
    }
  }
  assert.ok(reused > 100, `${reused}`)
})

const item = (at: number) => `template Item${at}(name: string) {
  <li title={name}>{if (name) { <b>{name}</b> } else { <i>none</i> }}</li>
}
`
const page = (count: number, typed: string) =>
  `const label = "a"\n${Array.from({ length: count }, (_, at) => item(at)).join("\nconst rest = 1\n")}`.replace(
    "<i>none</i>",
    typed,
  )

for (const count of [3, 30, 300]) {
  test(`each keystroke in one of ${count} templates reads only this template`, () => {
    const written =
      '<p class="a {"😀"} b" {...rest}>{name.length} Item1(label) </p>{for (const x of name) {<b>{x}</b>}}'
    let pieces = compilePieces(page(count, ""), "/a/page.tpl")
    for (let end = 0; end <= written.length; end++) {
      const source = page(count, written.slice(0, end))
      pieces = compilePieces(source, "/a/page.tpl", pieces)
      if (count < 300) check(pieces, written.slice(0, end))
    }
    pieces = compilePieces(page(count, "<i>{name.length}"), "/a/page.tpl", pieces)
    assert.ok(pieces.read <= 3, `${pieces.read} parts were read`)
    assert.ok(pieces.diagnostics.length > 0)
    pieces = compilePieces(page(count, "<i>{name.length}</i>"), "/a/page.tpl", pieces)
    assert.is(pieces.read, 1)
    check(pieces, "at the end")
  })
}

test("each keystroke in the parameters reads only this template", () => {
  const before = page(3, "")
  let pieces = compilePieces(before, "/a/page.tpl")
  for (const list of [
    "name: string, ",
    "name: string, a",
    "name: string, a = f(",
    'name: string, a = "1"',
    "nam: string",
  ]) {
    pieces = compilePieces(before.replace("Item1(name: string", `Item1(${list}`), "/a/page.tpl", pieces)
    check(pieces, list)
  }
  pieces = compilePieces(before, "/a/page.tpl", pieces)
  assert.is(pieces.read, 1)
})

test("a change that other templates can notice reads the file again", () => {
  const before = compilePieces(page(3, ""), "/a/page.tpl")
  for (const change of [
    (text: string) => text.replace("const label", "const Row"),
    (text: string) => text.replace("template Item1(", "template Item0("),
    (text: string) => text.replace("<li", "}\ntemplate New() {\n<li"),
    (text: string) => text.replace("<b>{name}</b>", "Item2(name)"),
    (text: string) => text.replace("<b>{name}</b>", "{Html}"),
    (text: string) => text.replace(/\}\n$/, ""),
    (text: string) => text.slice(1),
    (text: string) => text.replace("Item1(", "Item1 x("),
    (text: string) => text.replace("Item1(name: string)", "Item1<T extends string>(name: T)"),
  ]) {
    const source = change(before.source)
    check(compilePieces(source, "/a/page.tpl", before), source)
  }
})

test.run()
