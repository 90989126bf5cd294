/** The steps of what compiled templates call grow with the length of hostile text, and not with its square. */
import { test } from "uvu"
import {
  $fwAttribute,
  $fwCite,
  $fwClass,
  $fwConfig,
  $fwHtmx,
  $fwImage,
  $fwJson,
  $fwJsonAttribute,
  $fwLink,
  $fwLocal,
  $fwMedia,
  $fwNewline,
  $fwPaint,
  $fwPlain,
  $fwProse,
  $fwScript,
  $fwSpread,
  $fwSrcset,
  $fwStyle,
  $fwText,
  $fwUrl,
  escapeHtml,
  html,
} from "../../lib/html.ts"
import { type Attack, assertLinear, repeated } from "../support/growth/growth.ts"

const values: readonly Attack[] = [
  ..."& < \" ' / : , ; ( ) [ ] { } # ? \\ * % @ $ ` a 1 \0 \u2028 \u{1d400}"
    .split(" ")
    .map((mark) => repeated(mark)),
  ...[
    " ",
    "\t",
    "\n",
    ", ",
    "(,",
    ",(",
    "a ",
    "a, ",
    "a,",
    "url(",
    "url('",
    'url("',
    "url(#a)",
    "url(a ",
    "url( ",
    "'a",
    "\"'",
    "'\\61 ",
    "\\",
    "[a] ",
  ].map((piece) => repeated(piece)),
  ...[
    "(a b), ",
    "a 1x, ",
    "a 1x,",
    "data:image/",
    "data:image/png,",
    "java\tscript:",
    "js:",
    " js",
    "url ",
    "expression ",
    "/*",
    "*/",
    "--",
    "null",
    "{}",
  ].map((piece) => repeated(piece)),
  repeated(",", "a", "b"),
  repeated(" ", "a", "b"),
  repeated(" ", "url(", "x"),
  repeated(" ", "", "javascript:"),
  repeated("\0", "", "javascript:"),
  repeated("a", "", ":"),
  repeated("a", "data:image/", ""),
  repeated("\n", "\n", ""),
  repeated("a", "(", ""),
  repeated("a ", "a 1x (", ""),
  repeated("\\", '"', '"'),
  repeated("\\61", '"', '"'),
  repeated("0\\000", '"\\00000', "\0"),
  repeated("icon ", "", "x"),
  repeated("apple-touch-", "", "icon"),
]

const blocks = (text: string): unknown[] => text.split(/(?=[,;( ])/)

/** Functions that compiled templates and `html` literals call with a value. */
const printers: Readonly<Record<string, (text: string) => unknown>> = {
  escapeHtml,
  $fwText,
  "$fwText of an array": (text) => $fwText(blocks(text) as string[]),
  $fwPlain,
  $fwNewline,
  $fwJson: (text) => $fwJson(text),
  "$fwJson of an array": (text) => $fwJson(blocks(text)),
  $fwScript: (text) => $fwScript({ [text]: text, __proto__: null }),
  $fwAttribute: (text) => $fwAttribute("", ' a="', text),
  $fwUrl: (text) => $fwUrl(text, "a"),
  $fwLink: (text) => $fwLink(text, "a"),
  $fwImage: (text) => $fwImage(text, "a"),
  $fwMedia: (text) => $fwMedia(text, "a"),
  $fwCite: (text) => $fwCite(text, "a"),
  $fwLocal: (text) => $fwLocal(text, "a"),
  $fwSrcset: (text) => $fwSrcset(text, "a"),
  $fwHtmx: (text) => $fwHtmx(text, "a"),
  $fwProse: (text) => $fwProse(text, "a"),
  $fwPaint: (text) => $fwPaint(text, "a"),
  $fwClass: (text) => $fwClass(blocks(text) as string[], "class"),
  $fwStyle: (text) => $fwStyle({ color: text, "--a": text, background: text }, "style"),
  $fwJsonAttribute: (text) => $fwJsonAttribute({ text }, "a"),
  $fwConfig: (text) => $fwConfig({ text, [text]: text }, "a"),
  "$fwSpread of values": (text) =>
    $fwSpread("link", [{ rel: text, href: text, style: { color: text }, "data-a": text }], []),
  "$fwSpread of names": (text) => {
    const names = text.match(/[\s\S]{1,64}/g) ?? []
    const object = Object.fromEntries(names.map((_, at) => [`data-${at}`, "x"]))
    try {
      return $fwSpread("p", [object, { [text]: 1 }], ["a", "b"])
    } catch (error) {
      return error
    }
  },
  html: (text) =>
    html`<a href="${text}" title="${text}">${text}</a><link rel="icon" href="${text}"><p hx-confirm="${text}"></p>`,
  "html of a long literal": (text) => {
    const strings = Object.assign([`<p title="${text.replace(/["&]/g, "")}`, '">', "</p>"], { raw: [] })
    return html(strings, "a", "b")
  },
  "html of many values": (text) => {
    const inner = (text.match(/[\s\S]{1,64}/g) ?? []).map((part) => part.replace(/["'<>&]/g, ""))
    const strings = Object.assign(['<p title="', ...inner, '"></p>'], { raw: [] })
    return html(strings, ...strings.slice(1).map(() => "a"))
  },
}

for (const [name, print] of Object.entries(printers)) {
  test(`${name} prints a value in linear time`, async () => {
    await assertLinear(name, print, values)
  })
}

test.run()
