/** Checks the answers of a language server at every construct of the template language. */

import * as assert from "uvu/assert"
import type { Editor } from "./editor.ts"
import { page } from "./project.ts"

const file = "app/page.tpl"

/**
 * The text around a position, which ¦ marks, a part of the hover's text, and the declaration of the name if that is
 * in the project.
 */
const places: readonly (readonly [marked: string, says: string, declared?: string])[] = [
  ["export const ¦heading", 'const heading: "Tasks"', "app/page.tpl:4 heading"],
  ["template ¦Row", "function Row<T extends Task>(row: T, mark: string): Html", "app/page.tpl:6 Row"],
  ["Row<¦T extends", "T extends Task", "app/page.tpl:6 T"],
  ["Row<T extends ¦Task", "interface Task", "lib/tasks.ts:2 Task"],
  ["(row: T, ¦mark", "mark: string", "app/page.tpl:6 mark"],
  ['["task", ¦row.done', "row: T", "app/page.tpl:6 row"],
  ['["task", row.¦done', "done: boolean", "lib/tasks.ts:5 done"],
  ["title={row.¦name}", "name: string", "lib/tasks.ts:4 name"],
  ["{ id: row.¦id }", "id: number", "lib/tasks.ts:3 id"],
  [">{row.¦name}{mark}", "name: string", "lib/tasks.ts:4 name"],
  ["template ¦Card", "function Card(caption: string, children: Html): Html", "app/page.tpl:10 Card"],
  ["</h2>{¦children}", "children: Html"],
  ["Panel({ ¦header }", "header: ", "app/page.tpl:14 header"],
  ["template ¦Page", 'function Page(level: "h1" | "h2"): Promise<Html>', "app/page.tpl:18 Page"],
  ["{const ¦tasks =", "const tasks: Task[]", "app/page.tpl:19 tasks"],
  ["<{¦level}>", 'level: "h1" | "h2"', "app/page.tpl:18 level"],
  ["</{¦level}>", 'level: "h1" | "h2"', "app/page.tpl:18 level"],
  [">{¦heading}</{level}>", "const heading", "app/page.tpl:4 heading"],
  ["{if (tasks.¦length", "length: number"],
  ["<p>{tasks.¦length} none", "length: 0"],
  ["else if (tasks[0]?.¦done", "done: boolean", "lib/tasks.ts:5 done"],
  ["<p>{tasks[0].¦name}", "name: string", "lib/tasks.ts:4 name"],
  ["<b>{tasks.¦length}</b>\n  }}\n  {for", "length: number"],
  ["{for (const ¦task of", "const task: Task", "app/page.tpl:28 task"],
  ["{¦Row(task", "function Row", "app/page.tpl:6 Row"],
  ["Row(¦task", "const task: Task", "app/page.tpl:28 task"],
  ["else {\n    <i>{¦heading}", "const heading", "app/page.tpl:4 heading"],
  ["for await (const ¦late of", "const late: Task", "app/page.tpl:33 late"],
  ["<i>{late.¦name}", "name: string", "lib/tasks.ts:4 name"],
  ["switch (tasks[0]?.¦id", "id: number", "lib/tasks.ts:3 id"],
  ["case 1: {<p>{tasks[0].¦id}", "id: 1", "lib/tasks.ts:3 id"],
  ["default: {<p>{¦heading}", "const heading", "app/page.tpl:4 heading"],
  ['{¦Card("Open")', "function Card", "app/page.tpl:10 Card"],
  ['{Card("Open") {\n    <b>{tasks.¦length}', "length: number"],
  ["{Panel({ ¦header:", "header: ", "app/page.tpl:14 header"],
  ["{<h2>{¦heading}", "const heading", "app/page.tpl:4 heading"],
  ["(await ¦openTasks()).length", "function openTasks(): Promise<Task[]>", "lib/tasks.ts:8 openTasks"],
  ["pending {\n    <p>{¦heading}", "const heading", "app/page.tpl:4 heading"],
  ["failed (¦problem)", "problem: unknown", "app/page.tpl:46 problem"],
  ["String(¦problem)", "problem: unknown", "app/page.tpl:46 problem"],
  ["<textarea>{¦heading}", "const heading", "app/page.tpl:4 heading"],
  ["= {{¦tasks[0]}}", "const tasks: Task[]", "app/page.tpl:19 tasks"],
  ["AsyncGenerator<¦Task>", "interface Task", "lib/tasks.ts:2 Task"],
  ["Wide(¦list: readonly", "list: readonly Task[]", "app/page.tpl:57 list"],
  ["{const [¦first,", "const first: Task", "app/page.tpl:58 first"],
  ["...¦others] = list", "const others: Task[]", "app/page.tpl:58 others"],
  ["/?id=${first?.¦id}`", "id: number", "lib/tasks.ts:3 id"],
  ['"--size": others.¦length', "length: number"],
  ["hx-vals={{ ¦id: first", "id: ", "app/page.tpl:60 id"],
  ["id: ¦first?.id }}", "const first: Task", "app/page.tpl:58 first"],
  ["hidden={¦only}", "only: boolean", "app/page.tpl:57 only"],
  ["aria-busy={¦only}", "only: boolean", "app/page.tpl:57 only"],
  ["{only ? first?.¦name", "name: string", "lib/tasks.ts:4 name"],
  ["{¦raw(String", "function raw"],
  ["raw(String(¦only", "only: boolean", "app/page.tpl:57 only"],
  ["{for (const [¦at, other]", "const at: number", "app/page.tpl:62 at"],
  ["<i>{at}{other.¦name}", "name: string", "lib/tasks.ts:4 name"],
  ["{await ¦Late<Task>", "function Late<", "app/page.tpl:69 Late"],
  ["{await Late<¦Task>", "interface Task", "lib/tasks.ts:2 Task"],
  ["{shapes.¦Dot(", "Dot: (size: number) => Html", "app/page.tpl:83 Dot"],
  ["{Wrap({<b>{others.¦length}", "length: number"],
  ['json">{{¦first}}', "const first: Task", "app/page.tpl:58 first"],
  ["<u>{item.¦id}", "id: number", "lib/tasks.ts:3 id"],
  ["template ¦Layout", "function Layout(title: string, c: Context, children: Html)", "app/page.tpl:77 Layout"],
  ["Layout(title: string, ¦c: Context", "c: Context"],
  ["{...{ id: c.¦method", "method: string"],
  ["<title>{¦title}</title>", "title: string"],
]

/** Code that ends with a dot, the text that it replaces, and a member that must be offered. */
const completions: readonly (readonly [before: string, typed: string, member: string])[] = [
  ['row.done && "done"]', "row.¦]", "done"],
  ["title={row.name}", "title={row.¦}", "name"],
  ["{ id: row.id }", "{ id: row.¦ }", "id"],
  [">{row.name}{mark}", ">{row.¦}{mark}", "name"],
  [">{row.name}{mark}", ">{row.¦{mark}", "name"],
  ["<p>{tasks.length} none</p>", "<p>{tasks.¦</p>", "length"],
  ["{if (tasks.length === 0", "{if (tasks.¦", "length"],
  ["else if (tasks[0]?.done", "else if (tasks[0]?.¦", "done"],
  ["{for (const task of tasks)", "{for (const task of tasks.¦)", "length"],
  ['{Row(task, "a")}', "{Row(task, task.¦)}", "name"],
  ["<i>{late.name}", "<i>{late.¦}", "name"],
  ["switch (tasks[0]?.id", "switch (tasks[0]?.¦", "id"],
  ["case 1: {<p>{tasks[0].id}", "case 1: {<p>{tasks[0].¦}", "name"],
  ["{<h2>{heading}</h2>}", "{<h2>{heading.¦}</h2>}", "length"],
  ["<p>{(await openTasks()).length}</p>", "<p>{(await openTasks()).¦}</p>", "length"],
  ["<textarea>{heading}", "<textarea>{heading.¦}", "length"],
  ["{{tasks[0]}}", "{{tasks.¦}}", "length"],
  ["yield* await openTasks()", "const one = await openTasks()\n  yield one.¦", "length"],
]

/** Checks hovers at every construct. */
export async function checkHovers(editor: Editor): Promise<void> {
  for (const [marked, says] of places) {
    const text = await editor.hover(file, marked)
    assert.ok(text.includes(says), `the hover at ${marked} does not contain ${says}: ${JSON.stringify(text)}`)
  }
}

/**
 * Checks the other answers at every construct: the definition of a name, its references, a rename that leaves no
 * error, the error of a wrong name, and the completion of its beginning.
 */
export async function checkEach(editor: Editor): Promise<void> {
  editor.open("lib/tasks.ts")
  for (const [marked, , declared] of places) {
    if (declared === undefined) continue
    const name = /\w+$/.exec(declared)?.[0] ?? ""
    const at = page.indexOf(marked.replace("¦", "")) + marked.indexOf("¦")
    const own = `${file}:${page.slice(0, at).split("\n").length} ${name}`
    const found = await editor.definition(file, marked)
    assert.ok(found.includes(declared), `the definition at ${marked} is ${found}, not ${declared}`)
    const references = await editor.references(file, marked)
    for (const one of [own, declared])
      assert.ok(references.includes(one), `the references at ${marked} do not include ${one}: ${references}`)
    await checkRename(editor, marked)
    // The compiler reports a start tag and an end tag with different names.
    if (marked.startsWith("</{")) continue
    editor.change(file, `${page.slice(0, at)}x${page.slice(at)}`)
    const errors = (await editor.diagnostics(file)).map(({ text }) => text)
    const isRight = errors.includes(own === declared ? name : `x${name}`)
    assert.ok(isRight || references.length === 1, `a wrong name at ${marked} is not reported, only: ${errors}`)
    if (own !== declared) await checkBeginning(editor, at, name)
    editor.change(file, page)
  }
  editor.close("lib/tasks.ts")
}

async function checkRename(editor: Editor, marked: string): Promise<void> {
  const renamed = await editor.rename(file, marked, "renamed")
  const before = Object.keys(renamed).map((name) => [name, editor.getText(name)] as const)
  for (const [name, text] of Object.entries(renamed)) editor.change(name, text)
  assert.match(editor.getText(file), "renamed", marked)
  const messages = (await editor.diagnostics(file)).map(({ message }) => message)
  assert.equal(messages, [], `there are errors after the rename at ${marked}`)
  for (const [name, text] of before) editor.change(name, text)
}

/** Checks that the beginning of a name is completed. */
async function checkBeginning(editor: Editor, at: number, name: string): Promise<void> {
  const end = at + name.length
  const typed = `${page.slice(0, end - 1)}¦${page.slice(end)}`
  editor.change(file, typed.replace("¦", ""))
  const names = await editor.completion(file, typed)
  assert.ok(
    names.includes(name),
    `the completions at ${typed.slice(end - 40, end)} do not include ${name}: ${names.slice(0, 20)}`,
  )
}

/** Checks completions in incomplete code, and that the file is correct again after each. */
export async function checkCompletions(editor: Editor): Promise<void> {
  for (const [before, typed, member] of completions) {
    const at = page.indexOf(before)
    assert.ok(at >= 0, before)
    const replaced = page.slice(0, at) + typed + page.slice(at + before.length)
    editor.change(file, replaced.replace("¦", ""))
    const names = await editor.completion(file, typed)
    assert.ok(
      names.includes(member),
      `the completions at ${typed} do not include ${member}: ${names.slice(0, 20).join(" ")}`,
    )
  }
  editor.change(file, page)
}

/** Checks definitions, references and renames across a template and a module that imports it. */
export async function checkNames(editor: Editor): Promise<void> {
  assert.equal(await editor.definition(file, "{¦Row(task"), ["app/page.tpl:6 Row"])
  assert.equal(await editor.definition(file, "(await ¦openTasks()).length"), ["lib/tasks.ts:8 openTasks"])
  assert.equal(await editor.definition("app/use.ts", "= ¦Card"), ["app/page.tpl:10 Card"])
  assert.equal(await editor.references(file, "template ¦Card"), [
    "app/page.tpl:10 Card",
    "app/page.tpl:38 Card",
    "app/use.ts:1 Card",
    "app/use.ts:3 Card",
  ])
  const renamed = await editor.rename(file, "template ¦Card", "Box")
  assert.equal(Object.keys(renamed).sort(), ["app/page.tpl", "app/use.ts"])
  assert.is(renamed["app/page.tpl"], page.replaceAll("Card", "Box"))
  assert.match(renamed["app/use.ts"] ?? "", "export const card = Box")
  const name = await editor.rename("lib/tasks.ts", "readonly ¦name", "label")
  assert.match(name["app/page.tpl"] ?? "", "title={row.label}")
  assert.match(name["app/page.tpl"] ?? "", "<i>{late.label}</i>")
  const local = await editor.rename(file, "{const ¦tasks", "all")
  assert.is(
    local["app/page.tpl"],
    page.replaceAll(/(?<![/.{] ?|Open)\btasks\b(?!\.ts)/g, "all").replaceAll("{tasks", "{all"),
  )
}

/** Checks the positions of type errors and of the template compiler's errors. */
export async function checkErrors(
  findErrors: (text: string) => Promise<readonly { text: string; message: string }[]>,
): Promise<void> {
  const types: readonly (readonly [before: string, after: string, marked: string, message: string])[] = [
    ["title={row.name}", "title={row.nmae}", "nmae", "Property 'nmae' does not exist"],
    ['{Row(task, "a")}', "{Row(task, 1)}", "1", "not assignable to parameter of type 'string'"],
    ["<b>{tasks.length}</b>\n  }}\n  {for", "<b>{tsks.length}</b>\n  }}\n  {for", "tsks", "Cannot find name 'tsks'"],
    ["= {{tasks[0]}}", "= {{takss}}", "takss", "Cannot find name 'takss'"],
  ]
  for (const [before, after, marked, message] of types) {
    const found = await findErrors(page.replace(before, after))
    const error = found.find((one) => one.message.includes(message))
    assert.ok(error, `${after} does not cause the error "${message}", only: ${JSON.stringify(found)}`)
    assert.is(error.text, marked)
  }
  const syntax = await findErrors(page.replace("<p>{tasks.length} none</p>", "<p>{tasks.length} none"))
  const error = syntax.find(({ message }) => message.includes("<p> is never closed"))
  assert.ok(error, JSON.stringify(syntax))
  assert.is(error.text, "<p")
  assert.equal(await findErrors(page), [])
}
