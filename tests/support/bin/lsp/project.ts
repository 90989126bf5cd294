/** A project whose templates have every construct of the language, for tests of language servers. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { root } from "../../tsc.ts"

/** The text of the main template. */
export const page = `import { openTasks, type Task } from "../lib/tasks.ts"

export const heading = "Tasks"

template Row<T extends Task>(row: T, mark: string) {
  <li class={["task", row.done && "done"]} title={row.name} {...{ id: row.id }}>{row.name}{mark}</li>
}

template Card(caption: string) {
  <section><h2>{caption}</h2>{children}</section>
}

template Panel({ header }: { header: Html }) {
  <div>{header}</div>
}

template Page(level: "h1" | "h2") {
  {const tasks = await openTasks()}
  <{level}>{heading}</{level}>
  {if (tasks.length === 0) {
    <p>{tasks.length} none</p>
  } else if (tasks[0]?.done) {
    <p>{tasks[0].name}</p>
  } else {
    <b>{tasks.length}</b>
  }}
  {for (const task of tasks) {
    {Row(task, "a")}
  } else {
    <i>{heading}</i>
  }}
  {for await (const late of openLater()) {<i>{late.name}</i>}}
  {switch (tasks[0]?.id) {
    case 1: {<p>{tasks[0].id}</p>}
    default: {<p>{heading}</p>}
  }}
  {Card("Open") {
    <b>{tasks.length}</b>
  }}
  {Panel({ header: {<h2>{heading}</h2>} })}
  {defer {
    <p>{(await openTasks()).length}</p>
  } pending {
    <p>{heading}</p>
  } failed (problem) {
    <p>{String(problem)}</p>
  }}
  <textarea>{heading}</textarea>
  <script>const first = {{tasks[0]}}</script>
}

async function* openLater(): AsyncGenerator<Task> {
  yield* await openTasks()
}

template Wide(list: readonly Task[], only: boolean) {
  {const [first, ...others] = list}
  {/* No output. */}
  <a href={\`/?id=\${first?.id}\`} style={{ "--size": others.length }} hx-vals={{ id: first?.id }}
    hidden={only} aria-busy={only}>{only ? first?.name : "none"}{raw(String(only))}</a>
  {for (const [at, other] of others.entries()) {<i>{at}{other.name}</i>}}
  {await Late<Task>(others)}
  {shapes.Dot(others.length)}
  {Wrap({<b>{others.length}</b>})}
  <script type="application/ld+json">{{first}}</script>
}

template Late<T extends Task>(items: readonly T[]) {
  {for await (const item of items) {<u>{item.id}</u>}}
}

template Dot(size: number) {<i>{size}</i>}

template Wrap(inner: Html) {<p>{inner}</p>}

template Layout(title: string, c: Context) {
  <html><title>{title}</title><body {...{ id: c.method }}>{children}</body></html>
}

import type { Context } from "fw"

const shapes = { Dot }
`.replace(
  'import { openTasks, type Task } from "../lib/tasks.ts"\n',
  'import { openTasks, type Task } from "../lib/tasks.ts"\nimport { type Html, raw } from "fw/html"\n',
)

const tasks = `/** A thing to do. */
export interface Task {
  readonly id: number
  readonly name: string
  readonly done: boolean
}

export async function openTasks(): Promise<Task[]> {
  return [{ id: 1, name: "Write", done: false }]
}
`

const options = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023"],
  types: [],
  strict: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
}

/** Returns the files of the project by their paths. */
export function projectFiles(spelling: string): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify({
      name: "editors",
      type: "module",
      imports: { "#app/*.tpl": { types: "./app/*.tpl", default: "./app/*.tpl.ts" } },
    })}\n`,
    "lib/tasks.ts": tasks,
    "app/page.tpl": page,
    "app/use.ts": `import { Card, heading, Row } from "${spelling}"\n\nexport const card = Card\nexport const text: string = heading\nexport const row = Row({ id: 1, name: "Read", done: true }, text)\n`,
  }
}

/** Writes a project with this fw and a version of TypeScript. Returns its directory, which the caller removes. */
export function makeProject(
  files: Readonly<Record<string, string>>,
  typescript: "typescript" | "typescript-next",
  mappers = false,
): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "fw-editor-")))
  const mapped = { contentMappers: [{ package: "fw", extensions: [".tpl"] }] }
  const config = { compilerOptions: options, ...(mappers && mapped), include: ["app", "lib"] }
  for (const [file, text] of Object.entries({ "tsconfig.json": JSON.stringify(config), ...files })) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), text)
  }
  mkdirSync(join(directory, "node_modules"))
  const next = join(root, "tests/typescript-next/node_modules/typescript")
  symlinkSync(root, join(directory, "node_modules/fw"))
  symlinkSync(
    typescript === "typescript" ? join(root, "node_modules/typescript") : next,
    join(directory, "node_modules/typescript"),
  )
  return directory
}

export function removeProject(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}
