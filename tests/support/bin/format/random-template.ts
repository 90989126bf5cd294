/**
 * Creates random templates for the tests of the formatter: every construct of the language, with any white space in
 * between.
 */

import { random } from "../../random.ts"

const spaces = ["", "", "", " ", " ", "  ", "\n", "\n  ", "\n\n\n", "\t", " \n "]
const words = ["one", "two,", "(three)", "&amp;", "a<3", "“four”", "five.", "longer-word-than-others", "&nbsp;x"]
const attributes = [
  'class="a  b"',
  "class={['x', v && \"y\"]}",
  "data-n={n}",
  "hidden",
  "hidden={v}",
  "title = 'q \"r\"'",
  'title="two\n   lines"',
  "{...{ lang: 'en' }}",
  "{/* why */}",
  "aria-label={`a ${n}\n  b`}",
  "id=x1",
  "style={{\n  color: 'red',\n    top: n,\n}}",
]
const expressions = [
  "n",
  " n + 1 ",
  '"text"',
  "/* c */ n",
  "n // end\n  ",
  "`a\n   ${n}\n`",
  "[1, 2].map((x) => {\n      return x * 2\n    }).join('-')",
  "v\n  ? 'yes'\n  : 'no'",
  "Row({<i>{n} in</i>})",
  "Row({<b>x</b>\n})",
]
const texts = ["b", "i", "span", "a", "em"]
const blocks = ["div", "p", "ul", "section", "h2"]

/**
 * Returns the source of a module with a helper and `count` templates, `T0` and so on, with two parameters, `v` and
 * `n`.
 */
export function randomTemplates(seed: number, count: number): string {
  const { below, pick } = random(seed)
  let names = 0

  const space = () => pick(spaces)
  const createAttributes = () => {
    const chosen = new Map<string, string>()
    for (let at = below(5); at > 0; at--) {
      const one = pick(attributes)
      chosen.set(/^[\w-]*/.exec(one)?.[0] ?? "", one)
    }
    return [...chosen.values()].map((one) => `${pick([" ", "\n    ", "  "])}${one}`).join("")
  }
  const tag = (name: string, inside: string) => {
    const open = createAttributes()
    const gap = open.endsWith("=x1") ? " " : pick(["", " ", "\n"])
    return `<${name}${open}${gap}>${inside}</${name}>`
  }
  const block = (depth: number) => `{${content(depth - 1)}}`
  const comment = () => pick(["{/* c */}", "{/* c\n  d */}", "<!-- c -->", "<!-- c\n d -->", "{// c\n}"])
  const control = (depth: number): string => {
    const gap = space()
    return pick([
      () => `{${gap}if (v) ${block(depth)}}`,
      () => `{if (${gap}n > 1${gap}) ${block(depth)} else if (v) ${block(depth)}${gap}else ${block(depth)}${gap}}`,
      () => `{for (const x of [1, 2]) {${content(depth - 1)}{x}}}`,
      () => `{for (const x of v ? [n] : []) {{x}${content(depth - 1)}} else ${block(depth)}}`,
      () => `{switch (n) {${gap}case 1: ${block(depth)}${gap}case 2:${block(depth)}// c\ndefault: ${block(depth)} }}`,
      () => `{Box("b") ${block(depth)}}`,
      () => `{Box(\n  "b",\n) ${block(depth)}${gap}}`,
      () => `{Panel({ head: {<u>${content(depth - 1)}</u>} }) ${block(depth)}}`,
    ])()
  }
  const kept = () =>
    pick([
      `<pre>\n a\n   {n}  <b> x</b>\n</pre>`,
      `<textarea rows=2>\n {n}\n  x </textarea>`,
      "<script>\n  const a = {{n}}\n    const b = '<p>'\n</script>",
      "<style>\n  .a { color: red }\n</style>",
      "<script>const a = {{n}}</script>",
      "<svg><path d='M0 0'/><path d='M1 1'></path> <title> t {n} </title></svg>",
    ])
  const piece = (depth: number): string => {
    const kind = below(12)
    if (kind < 3 || depth <= 0) return pick(words)
    if (kind === 3) return `{${space()}${pick(expressions)}${pick(["", " ", "\n"])}}`
    if (kind === 4) return comment()
    if (kind === 5) return `{const k${++names} = n + 1}`
    if (kind === 6) return pick(["<br>", "<br/>", "<hr>", `<input${createAttributes()}\n>`, "<div/>"])
    if (kind === 7) return kept()
    if (kind === 8) return tag(pick(texts), content(depth - 1))
    if (kind === 9) return tag(pick(blocks), content(depth - 1))
    return control(depth)
  }
  const content = (depth: number): string => {
    let text = space()
    for (let at = below(5); at > 0; at--) text += piece(depth) + space()
    return text
  }

  const helpers = `import type { Html } from "fw/html"
export const before = 1
template Box(name: string) {<i title={name}>{children}</i>}
template Panel({ head }: { head: Html }) {{head}|{children}}
template Row(label: Html) {[{label}]}
`
  const templates = Array.from(
    { length: count },
    (_, at) => `template T${at}(v: boolean, n: number) {${content(3)}}${pick(["\n", "\n\n", " // c\n"])}`,
  )
  return helpers + templates.join("")
}
