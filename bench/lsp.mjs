/**
 * The language server as an editor notices it: from its start to its first answer, and from a keystroke in a template of
 * 1,000 lines to each answer. Run `npm run build` first, then `node bench/lsp.mjs [typescript-next]`.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { Editor } from "../dist/tests/support/bin/lsp/editor.js"
import { makeProject, projectFiles, removeProject } from "../dist/tests/support/bin/lsp/project.js"

const command = ["node_modules/fw/dist/bin/fw.js", "lsp", "--stdio"]
const file = "app/long.tpl"
const version = process.argv[2] === "typescript-next" ? "typescript-next" : "typescript"

const part = (/** @type {number} */ at) => `template Part${at}(row: Task, list: readonly Task[]) {
  <section class={["part", row.done && "done"]}>
    <h2 title={row.name}>{row.name}</h2>
    {for (const task of list) {
      <p>{task.name}: {task.id}</p>
    } else {
      <p>Nothing.</p>
    }}
  </section>
}
`
const parts = Array.from({ length: 100 }, (_, at) => part(at))
const long = `import type { Task } from "../lib/tasks.ts"\n${parts.join("")}`

/** @param {readonly number[]} times */
function shown(times) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return `median ${at(0.5)?.toFixed(1)} ms, p95 ${at(0.95)?.toFixed(1)} ms`
}

/**
 * @param {number} count
 * @param {(at: number) => unknown} work
 */
async function timesOf(count, work) {
  const times = []
  for (let at = 0; at < count; at++) {
    const started = performance.now()
    await work(at)
    times.push(performance.now() - started)
  }
  return times
}

const root = makeProject({ ...projectFiles("./page.tpl.ts"), [file]: long }, version)
try {
  const starts = await timesOf(10, async () => void (await Editor.start(root, command)).kill())
  console.log(`start to the answer of initialize: ${shown(starts)}`)
  const editor = await Editor.start(root, command)
  const opened = performance.now()
  editor.open(file)
  await editor.hover(file, "template Part50(¦row")
  console.log(`first hover, with the project loaded: ${(performance.now() - opened).toFixed(0)} ms`)
  const hovers = await timesOf(50, (at) => editor.hover(file, `template Part${at}(¦row`))
  console.log(`hover: ${shown(hovers)}`)
  const keystrokes = await timesOf(50, (at) => {
    editor.change(file, long.replace(`Part${at}(row: Task`, `Part${at}(row_: Task`))
    return editor.hover(file, `template Part${at}(¦row_`)
  })
  console.log(`keystroke and hover: ${shown(keystrokes)}`)
  const completions = await timesOf(50, (at) => {
    const before = part(at)
    editor.change(file, long.replace(before, before.replace("{task.name}:", "{task.}:")))
    return editor.completion(file, `${before.slice(0, before.indexOf("{task.name}"))}{task.¦}`)
  })
  console.log(`keystroke and completion of members: ${shown(completions)}`)
  const checks = await timesOf(20, (at) => {
    editor.change(file, long.replace(`Part${at}(row`, `Part${at}(wor`))
    return editor.diagnostics(file)
  })
  console.log(`keystroke and diagnostics: ${shown(checks)}`)
  const { length } = readFileSync(join(root, file), "utf8").split("\n")
  console.log(`(${length} lines, ${version})`)
  await editor.stop()
} finally {
  removeProject(root)
}
