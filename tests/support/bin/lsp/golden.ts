/** The answers of a language server at places of every construct of the template language. */

import * as assert from "uvu/assert"
import type { Editor } from "./editor.ts"
import { page } from "./project.ts"

const file = "app/page.tpl"

/** The text around a place, which ¦ marks, and what the hover must contain. */
const hovers: readonly (readonly [marked: string, says: string])[] = [
  ["export const ¦heading", 'const heading: "Tasks"'],
  ["template ¦Row", "function Row<T extends Task>(row: T, mark: string): Html"],
  ["Row<¦T extends", "T extends Task"],
  ["Row<T extends ¦Task", "interface Task"],
  ["(row: T, ¦mark", "mark: string"],
  ['["task", ¦row.done', "row: T"],
  ['["task", row.¦done', "done: boolean"],
  ["title={row.¦name}", "name: string"],
  ["{ id: row.¦id }", "id: number"],
  [">{row.¦name}{mark}", "name: string"],
  ["template ¦Card", "function Card(caption: string, children: Html): Html"],
  ["</h2>{¦children}", "children: Html"],
  ["Panel({ ¦header }", "header: "],
  ["template ¦Page", 'function Page(level: "h1" | "h2"): Promise<Html>'],
  ["{const ¦tasks =", "const tasks: Task[]"],
  ["<{¦level}>", 'level: "h1" | "h2"'],
  [">{¦heading}</{level}>", "const heading"],
  ["{if (tasks.¦length", "length: number"],
  ["<p>{tasks.¦length} none", "length: 0"],
  ["else if (tasks[0]?.¦done", "done: boolean"],
  ["<p>{tasks[0].¦name}", "name: string"],
  ["<b>{tasks.¦length}</b>\n  }}\n  {for", "length: number"],
  ["{for (const ¦task of", "const task: Task"],
  ["{¦Row(task", "function Row"],
  ["Row(¦task", "const task: Task"],
  ["else {\n    <i>{¦heading}", "const heading"],
  ["for await (const ¦late of", "const late: Task"],
  ["<i>{late.¦name}", "name: string"],
  ["switch (tasks[0]?.¦id", "id: number"],
  ["case 1: {<p>{tasks[0].¦id}", "id: 1"],
  ["default: {<p>{¦heading}", "const heading"],
  ['{¦Card("Open")', "function Card"],
  ['{Card("Open") {\n    <b>{tasks.¦length}', "length: number"],
  ["{Panel({ ¦header:", "header: "],
  ["{<h2>{¦heading}", "const heading"],
  ["(await ¦openTasks()).length", "function openTasks(): Promise<Task[]>"],
  ["pending {\n    <p>{¦heading}", "const heading"],
  ["failed (¦problem)", "problem: unknown"],
  ["String(¦problem)", "problem: unknown"],
  ["<textarea>{¦heading}", "const heading"],
  ["= {{¦tasks[0]}}", "const tasks: Task[]"],
  ["AsyncGenerator<¦Task>", "interface Task"],
]

/** Code that ends with a dot: in place of the text before the arrow, and a member that must be offered. */
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
  for (const [marked, says] of hovers) {
    const text = await editor.hover(file, marked)
    assert.ok(text.includes(says), `${marked}: the hover is ${JSON.stringify(text)}, without ${says}`)
  }
}

/** Checks completions in half-written code, and that the file is right again after each. */
export async function checkCompletions(editor: Editor): Promise<void> {
  for (const [before, typed, member] of completions) {
    const at = page.indexOf(before)
    assert.ok(at >= 0, before)
    const replaced = page.slice(0, at) + typed + page.slice(at + before.length)
    editor.change(file, replaced.replace("¦", ""))
    const names = await editor.completion(file, typed)
    assert.ok(names.includes(member), `${typed}: ${names.slice(0, 20).join(" ")} without ${member}`)
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

/** Checks errors of types and of the template compiler at their places. */
export async function checkErrors(
  errorsOf: (text: string) => Promise<readonly { text: string; message: string }[]>,
): Promise<void> {
  const types: readonly (readonly [before: string, after: string, marked: string, message: string])[] = [
    ["title={row.name}", "title={row.nmae}", "nmae", "Property 'nmae' does not exist"],
    ['{Row(task, "a")}', "{Row(task, 1)}", "1", "not assignable to parameter of type 'string'"],
    [
      "<b>{tasks.length}</b>\n  }}\n  {for",
      "<b>{tsks.length}</b>\n  }}\n  {for",
      "tsks",
      "Cannot find name 'tsks'",
    ],
    ["= {{tasks[0]}}", "= {{takss}}", "takss", "Cannot find name 'takss'"],
  ]
  for (const [before, after, marked, message] of types) {
    const found = await errorsOf(page.replace(before, after))
    const error = found.find((one) => one.message.includes(message))
    assert.ok(error, `${after}: ${JSON.stringify(found)}`)
    assert.is(error.text, marked)
  }
  const syntax = await errorsOf(page.replace("<p>{tasks.length} none</p>", "<p>{tasks.length} none"))
  const error = syntax.find(({ message }) => message.includes("<p> is never closed"))
  assert.ok(error, JSON.stringify(syntax))
  assert.is(error.text, "<p")
  assert.equal(await errorsOf(page), [])
}
