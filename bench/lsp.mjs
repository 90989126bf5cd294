/**
 * Measures how long an editor waits for the language server: from its start to the first answer, and from a keystroke
 * in a template of 1,000 lines to each answer. TypeScript's own server gets the code that the template is compiled to.
 * Its time is the least that is possible.
 *
 * Run `npm run build` first, then `node --conditions=fw-source bench/lsp.mjs [typescript-next]` on Node 24.
 */
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { SourceText } from "../bin/lsp/source-text.ts"
import { TemplateFile } from "../bin/lsp/template-file.ts"
import { outputPath } from "../template/index.ts"
import { Editor } from "../tests/support/bin/lsp/editor.ts"
import { makeProject, projectFiles, removeProject } from "../tests/support/bin/lsp/project.ts"

const command = ["node_modules/fw/dist/bin/fw.js", "lsp", "--stdio"]
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
const longTemplate = `import type { Task } from "../lib/tasks.ts"\n${parts.join("")}`

/** Returns, for each kind of question, the text after a number of keystrokes and the position to ask about. */
const keystrokes = {
  hover: (/** @type {number} */ at) => ({
    text: longTemplate.replace("Part50(row: Task", `Part50(row_${"_".repeat(at)}: Task`),
    place: "Part50(¦row_",
  }),
  completion: (/** @type {number} */ at) => {
    const before = part(50)
    const text = longTemplate.replace(before, before.replace("{task.name}:", `{task.}: ${"x".repeat(at)}`))
    return { text, place: `${before.slice(0, before.indexOf("{task.name}"))}{task.¦}` }
  },
  diagnostics: (/** @type {number} */ at) => ({
    text: longTemplate.replace(part(50), part(50).replace("Nothing", `Nothing${"x".repeat(at)}`)),
    place: "",
  }),
}

/** @param {readonly number[]} times */
function formatTimes(times) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return `median ${at(0.5)?.toFixed(1)} ms, p95 ${at(0.95)?.toFixed(1)} ms`
}

/** @param {() => unknown} work */
async function measureTime(work) {
  const startTime = performance.now()
  await work()
  return performance.now() - startTime
}

/** A language server with the template open, or TypeScript's server with the code of the template. */
class Side {
  /** @type {Record<string, number[]>} */
  times = {}

  /** @param {Editor} editor @param {boolean} isCode */
  constructor(editor, isCode) {
    this.editor = editor
    this.isCode = isCode
    this.file = isCode ? outputPath("app/alone.tpl") : "app/long.tpl"
  }

  /** @param {string} text */
  toServerText(text) {
    return this.isCode ? new TemplateFile(new SourceText(text), "/app/alone.tpl").code.value : text
  }

  /** @param {keyof typeof keystrokes} kind @param {number} at */
  async press(kind, at) {
    const { text, place } = keystrokes[kind](at)
    const serverText = this.toServerText(text)
    // In the compiled code, the same line looks different from the markup.
    const position =
      kind === "completion" && this.isCode
        ? `${/\S*task\./.exec(serverText.slice(serverText.indexOf("Part50(")))?.[0]}¦`
        : place
    const time = await measureTime(async () => {
      this.editor.change(this.file, serverText)
      if (kind === "hover") await this.editor.hover(this.file, position)
      else if (kind === "completion") await this.editor.completion(this.file, position)
      else await this.editor.diagnostics(this.file)
    })
    this.times[kind] = [...(this.times[kind] ?? []), time]
  }
}

const root = makeProject({ ...projectFiles("./page.tpl.ts"), "app/long.tpl": longTemplate }, version)
/** @type {Editor[]} */
const editors = []
const start = async (/** @type {readonly string[]} */ line) => {
  const editor = await Editor.start(root, line)
  editors.push(editor)
  return editor
}
try {
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"]
  const starts = []
  for (let at = 0; at < 20; at++) {
    starts.push(await measureTime(() => start(command)))
    await editors.pop()?.kill()
  }
  console.log(`start to the answer of initialize: ${formatTimes(starts)}`)
  const fw = new Side(await start(command), false)
  const first = await measureTime(async () => {
    fw.editor.open(fw.file)
    await fw.editor.hover(fw.file, "template Part50(¦row")
  })
  console.log(`first hover, with the project loaded: ${first.toFixed(0)} ms`)
  const alone = new Side(await start(tsc), true)
  alone.editor.open(alone.file, alone.toServerText(longTemplate))
  await alone.editor.hover(alone.file, "Part50(¦row")
  const hovers = []
  for (let at = 0; at < 50; at++)
    hovers.push(await measureTime(() => fw.editor.hover(fw.file, `template Part${at}(¦row`)))
  console.log(`hover: ${formatTimes(hovers)}`)
  for (const kind of /** @type {(keyof typeof keystrokes)[]} */ (Object.keys(keystrokes))) {
    for (let at = 0; at < 50; at++) for (const side of [fw, alone]) await side.press(kind, at)
    console.log(`keystroke and ${kind}: ${formatTimes(fw.times[kind] ?? [])}`)
    console.log(`  of that TypeScript's own server: ${formatTimes(alone.times[kind] ?? [])}`)
  }
  console.log(`(${longTemplate.split("\n").length} lines, ${version})`)
} finally {
  for (const editor of editors) await editor.stop()
  removeProject(root)
}
