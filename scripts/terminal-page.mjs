/** Shows what a command printed as a page that looks like a terminal, for pictures. */

/** The colours of a terminal, by the numbers of SGR (ECMA-48 §8.3.117): light, dark. */
const colours = {
  31: ["#b42318", "#ff8a80"],
  32: ["#1a7f37", "#7ee787"],
  33: ["#8a5a00", "#f2cc60"],
  34: ["#0550ae", "#79c0ff"],
  35: ["#8250df", "#d2a8ff"],
  36: ["#0b6b7a", "#76e3ea"],
  90: ["#59636e", "#9198a1"],
}

/** A control sequence: its numbers and its last letter. */
const sequence = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)([A-Za-z])`)

const styles = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --bar: #f0f1f3; --edge: #d0d7de; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e6edf3; --bar: #22262d; --edge: #3d444d; } }
body { margin: 0; background: transparent; }
main { display: inline-block; width: 760px; background: var(--paper); color: var(--ink); border: 1px solid var(--edge); border-radius: 10px; overflow: hidden; }
header { height: 28px; background: var(--bar); border-bottom: 1px solid var(--edge); }
pre { margin: 0; padding: 14px 18px 18px; font: 13px/1.5 "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.b { font-weight: 700 } .d { opacity: .65 }
${Object.entries(colours)
  .map(([code, [light, dark]]) => `.c${code} { color: light-dark(${light}, ${dark}) }`)
  .join("\n")}
`

const escaped = (/** @type {string} */ text) =>
  text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c] ?? c)

/** Returns text with SGR sequences as HTML. Other sequences are dropped. */
export function coloured(/** @type {string} */ text) {
  let classes = new Set()
  const parts = text.split(sequence)
  let html = ""
  for (let at = 0; at < parts.length; at += 3) {
    const shown = escaped(parts[at] ?? "")
    html += shown && classes.size > 0 ? `<span class="${[...classes].join(" ")}">${shown}</span>` : shown
    if (parts[at + 2] === "m") classes = after(classes, parts[at + 1] ?? "")
  }
  return html
}

/** The classes after one sequence. */
function after(/** @type {Set<string>} */ classes, /** @type {string} */ codes) {
  const next = new Set(classes)
  const drop = (/** @type {RegExp} */ form) => {
    for (const name of next) if (form.test(name)) next.delete(name)
  }
  for (const code of codes === "" ? [0] : codes.split(";").map(Number)) {
    if (code === 0) next.clear()
    else if (code === 1) next.add("b")
    else if (code === 2) next.add("d")
    else if (code === 22) drop(/^[bd]$/)
    else if (code === 39) drop(/^c/)
    else if (code in colours) {
      drop(/^c/)
      next.add(`c${code}`)
    }
  }
  return next
}

/**
 * Returns the page.
 *
 * @param {string} command what was typed
 * @param {string} output what was printed, with its colours
 */
export function terminalPage(command, output) {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(command)}</title><style>${styles}</style>
<body><main><header></header><pre><span class="c90">$</span> <span class="b">${escaped(command)}</span>\n${coloured(output.trimEnd())}</pre></main></body></html>`
}
