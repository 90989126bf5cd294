/** Tests that the compiler warns about exactly those pairs of nested elements that Chromium moves elsewhere. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, findWarnings } from "../../template/compile.ts"
import { startBrowser } from "../support/browser.ts"

const words = (text: string): string[] => text.split(" ")

/** The elements of HTML with obsolete ones, and one element each of SVG, of MathML and of a program. */
const elements = words(
  "a abbr acronym address applet area article aside audio b base bdi bdo big blink blockquote body br button canvas caption " +
    "center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font " +
    "footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link listing " +
    "main map mark marquee math menu meta meter nav nobr noembed noframes noscript object ol optgroup option output p param " +
    "picture pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style " +
    "sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp my-element",
)
/** Elements that contain no markup. */
const empty = new Set(
  words(
    "area base br col embed hr img input link meta param source track wbr iframe noembed noframes noscript script style textarea title xmp",
  ),
)
const voids = new Set(words("area base br col embed hr img input link meta param source track wbr"))

/** The only element in which each of these elements is valid. */
const around: Readonly<Record<string, string>> = {
  head: "html",
  body: "html",
  frameset: "html",
  caption: "table",
  colgroup: "table",
  tbody: "table",
  thead: "table",
  tfoot: "table",
  tr: "table tbody",
  td: "table tbody tr",
  th: "table tbody tr",
}

/** Returns a chain of nested elements, with the parents that the first one needs. */
function chain(...names: readonly string[]): string[] {
  const outer = around[names[0] ?? ""]
  return [...(outer ? words(outer) : []), ...names]
}

/** Elements that may end others further up, and elements between them and the last one. */
const outer = words("p li dd a button form nobr ruby option select h1")
const between = words(
  "a address article b button dialog div dl fieldset form i label marquee object ol option p rt rtc ruby search section select span " +
    "summary table template ul svg>foreignObject svg>desc math>mi",
).map((names) => names.split(">"))
const parents = elements.filter((name) => !empty.has(name))

const chains: readonly (readonly string[])[] = [
  ...parents.flatMap((parent) => elements.map((child) => chain(parent, child))),
  ...outer.flatMap((first) => between.flatMap((middle) => elements.map((last) => chain(first, ...middle, last)))),
]

/** Returns the markup of nested elements, with a text in the last one. */
function markup(names: readonly string[], text: string, start = (name: string, _at: number) => `<${name}>`): string {
  const ends = names.toReversed().map((name) => (voids.has(name) ? "" : `</${name}>`))
  const isEmpty = empty.has(names.at(-1) ?? "")
  return `${names.map(start).join("")}${isEmpty ? "" : text}${ends.join("")}`
}

/** Code that runs in the page: returns true for each chain that the browser's parser changes. */
const changed = `(pages) => pages.map(([names, source]) => {
  let root = new DOMParser().parseFromString("<!doctype html>" + source, "text/html")
  let parent
  for (const [at, name] of names.entries()) {
    const element = root.querySelector("[id=n" + at + "]")
    if (element?.localName !== name) return true
    let above = element.parentNode
    // HTML allows leaving out these elements, and the parser adds them.
    while (above?.nodeType === 1 && !above.id && /^(?:tbody|colgroup|body|head)$/.test(above.localName)) above = above.parentNode
    if (parent && above !== parent) return true
    // The parser puts a form into a table, and its content elsewhere.
    if (at === names.length - 1 && name === "form" && !element.textContent.includes("text")) return true
    parent = element
    if (element.content instanceof DocumentFragment) root = parent = element.content
  }
  return false
})`

test("the compiler warns about nested elements exactly if the browser builds another tree, unless they are an error", async () => {
  const browser = await startBrowser()
  try {
    const { page, close } = await browser.page()
    const pages = chains.map((names) => {
      const source = markup(names, "text", (name, at) => `<${name} id=n${at}>`)
      return [names, source] as const
    })
    const changes = (await page.evaluate(`(${changed})(${JSON.stringify(pages)})`)) as boolean[]
    const wrong = chains.flatMap((names, at) => {
      const source = `template Page() {\n${markup(names, "")}\n}\n`
      const isWarned = findWarnings(source, "page.tpl").length > 0
      // Some pairs are errors instead of warnings.
      if (isWarned === changes[at] || compile(source, "page.tpl").diagnostics.length > 0) return []
      return [`${names.join(" > ")}: ${isWarned ? "a" : "no"} warning`]
    })
    await close()
    assert.equal(wrong, [])
    assert.ok(changes.filter((is) => is).length > 3_000)
  } finally {
    await browser.stop()
  }
})

test.run()
