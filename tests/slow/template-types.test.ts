/** The code of long templates, checked by TypeScript itself. */

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../lib/template/index.ts"
import { makeProject, removeProject } from "../support/bin/lsp/project.ts"

const options = "--noEmit --ignoreConfig --strict --target es2022 --module nodenext --extendedDiagnostics"

/** Checks a template in a project. Returns the numbers of the errors, and the seconds of TypeScript's checks. */
function check(project: string, source: string): readonly [errors: readonly string[], seconds: number] {
  const { code, diagnostics } = compile(source, "page.tpl")
  assert.equal(diagnostics, [])
  writeFileSync(join(project, "page.tpl.ts"), code)
  const tsc = join(project, "node_modules/typescript/bin/tsc")
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(" "), "page.tpl.ts"], {
    cwd: project,
    encoding: "utf8",
  })
  const seconds = Number(/Check time:\s+([\d.]+)s/.exec(stdout)?.[1] ?? Number.NaN)
  return [stdout.match(/error TS\d+/g) ?? [], seconds]
}

const head = `import type { Html } from "fw/html"
interface Row { name: string; id: number; done: boolean; note?: string; tags: string[] }
template Item(row: Row) {<li>{row.name}</li>}
template Panel({ body }: { body: Html }) {<div>{body}</div>}
template Box(row: Row) {<div>{row.id}{children}</div>}
`
/** Lines that templates repeat; `0` in them is the number of the line. */
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

/** A file with some templates of each shape. */
function file(shapes: readonly string[], templates: number, length: number): string {
  const bodies = shapes.flatMap((shape, index) =>
    Array.from({ length: templates }, (_, at) => {
      const body = Array.from({ length }, (_, line) => `  ${shape.replaceAll("0", String(line))}\n`)
      return `template Page${index}_${at}(row: Row) {\n${body.join("")}}\n`
    }),
  )
  return head + bodies.join("")
}

/** A time that grows with the square gives a factor of more than 10. */
const most = 3

/** Returns by which factor one long template of each shape takes longer than 16 short ones. */
function costs(project: string, shapes: readonly string[], rounds: number): number {
  let [long, short] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  // The least of several runs, because other processes make a run slower, and never faster.
  for (let round = 0; round < rounds && !(long < most * short); round++) {
    short = Math.min(short, seconds(project, file(shapes, 16, 50)))
    long = Math.min(long, seconds(project, file(shapes, 1, 800)))
  }
  return long / short
}

function seconds(project: string, source: string): number {
  const [errors, time] = check(project, source)
  assert.equal(errors, [])
  return time
}

for (const version of ["typescript", "typescript-next"] as const) {
  test(`an error after 1,600 values in a row is found (${version})`, () => {
    const root = makeProject({ "package.json": '{ "type": "module" }\n' }, version)
    const line = '  <p class="a">{row.name}: <b>{row.id}</b></p>\n'
    try {
      const [errors] = check(root, `${head}template Page(row: Row) {\n${line.repeat(800)}{row.nothing}}\n`)
      // TypeScript gives up with TS2563 where a function has too many assignments.
      assert.equal(errors, ["error TS2339"])
    } finally {
      removeProject(root)
    }
  })

  test(`800 lines in one template are checked as fast as in 16 templates (${version})`, () => {
    const root = makeProject({ "package.json": '{ "type": "module" }\n' }, version)
    try {
      if (costs(root, Object.values(lines), 8) < most) return
      const each = Object.entries(lines).map(
        ([name, line]) => `${name}: ${costs(root, [line], 1).toFixed(1)}`,
      )
      assert.unreachable(`the factors are ${each.join(", ")}`)
    } finally {
      removeProject(root)
    }
  })
}

test.run()
