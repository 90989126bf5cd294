/** Checks the code of long templates with TypeScript. */

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../template/index.ts"
import { makeProject, removeProject } from "../support/bin/lsp/project.ts"

const options = "--noEmit --ignoreConfig --strict --target es2022 --module nodenext"

/** Checks a template in a project. Returns the codes of the errors. */
function check(project: string, source: string): readonly string[] {
  const { code, diagnostics } = compile(source, "page.tpl")
  assert.equal(diagnostics, [])
  writeFileSync(join(project, "page.tpl.ts"), code)
  const tsc = join(project, "node_modules/typescript/bin/tsc")
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(" "), "page.tpl.ts"], {
    cwd: project,
    encoding: "utf8",
  })
  return stdout.match(/error TS\d+/g) ?? []
}

const head = `import type { Html } from "fw/html"
interface Row { name: string; id: number; done: boolean; note?: string; tags: string[] }
template Item(row: Row) {<li>{row.name}</li>}
template Panel({ body }: { body: Html }) {<div>{body}</div>}
template Box(row: Row) {<div>{row.id}{children}</div>}
`
/** Lines that templates repeat. */
const lines: Readonly<Record<string, string>> = {
  text: "<p>{row.name}{row.id}</p>",
  attributes: "<p title={row.name} data-id={row.id} lang={row.note}></p>",
  "names of a class, and properties": '<p class={["a", row.done && "done"]} style={{ color: row.name }}></p>',
  URLs: "<a href={row.name}><img src={row.name} alt={row.name}></a>",
  "attributes of htmx": "<a hx-get={row.name} hx-target={row.name} hx-vals={{ id: row.id }}></a>",
  "values in scripts": "<script>const a = {{row.name}}</script>",
  choices: '<p title={row.done ? row.name : (row.note ?? "x")}>{row.done && row.name}</p>',
  spreads: "<p {...{ id: row.id, title: row.name }}></p>",
  components: "{Item(row)}",
  "components with markup": "{Box(row) {<b>{row.name}</b>}}",
  "markup in arguments": "{Panel({ body: {<b>{row.name}</b>} })}",
  branches:
    "{if (row.done) {<b>{row.name}</b>} else if (row.note) {{Box(row) {{row.note.length}}}} else {<pre>{row.id}</pre>}}",
  loops: "{for (const tag of row.tags) {<b>{tag}{row.name}</b>}}",
}

for (const version of ["typescript", "typescript-next"] as const) {
  test(`an error after 1,600 values in a row is found (${version})`, () => {
    const root = makeProject({ "package.json": '{ "type": "module" }\n' }, version)
    const line = '  <p class="a">{row.name}: <b>{row.id}</b></p>\n'
    try {
      const errors = check(root, `${head}template Page(row: Row) {\n${line.repeat(800)}{row.nothing}}\n`)
      // TypeScript gives up with TS2563 if a function has too many assignments.
      assert.equal(errors, ["error TS2339"])
    } finally {
      removeProject(root)
    }
  })

  test(`TypeScript can check long templates of every form (${version})`, () => {
    const root = makeProject({ "package.json": '{ "type": "module" }\n' }, version)
    try {
      const templates = Object.values(lines).map((line, at) => {
        // TypeScript follows every path through the blocks of a function, and gives up after about 2,000 of them.
        const count = line.startsWith("{if") ? 250 : 800
        return `template Page${at}(row: Row) {\n${`  ${line}\n`.repeat(count)}}\n`
      })
      assert.equal(check(root, head + templates.join("")), [])
    } finally {
      removeProject(root)
    }
  })
}

test.run()
