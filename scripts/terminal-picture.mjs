/**
 * Draws the output of a command as an SVG picture of a terminal. It is sharp, and has a tenth of the bytes of a picture
 * of pixels.
 */

/** The colours of text, by their number in SGR (ECMA-48 §8.3.117). */
const colours = {
  31: "#ff8a80",
  32: "#7ee787",
  33: "#f2cc60",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#9198a1",
}

/** The colours of the window. */
const windowColours = {
  paper: "#14171c",
  ink: "#e6edf3",
  bar: "#22262d",
  edge: "#3d444d",
}

/** Sizes in pixels. `columns` limits the characters of a line. */
const sizes = { width: 760, bar: 28, left: 18, top: 48, line: 19.5, character: 7.8, font: 13, columns: 92 }
const fonts = "ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace"

/** A control sequence of a terminal. The groups are its numbers and its last letter. */
const sequencePattern = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)([A-Za-z])`)

/** @typedef {{ readonly colour?: keyof typeof colours, readonly bold?: boolean, readonly dim?: boolean }} Style */
/** @typedef {{ readonly text: string, readonly style: Style }} Run a part of a line */

/**
 * Escapes text for SVG. Spaces become no-break spaces, because SVG joins several spaces into one. @param {string} text
 */
const escapeText = (text) => text.replace(/[&<> ]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c] ?? "\u00a0")

/**
 * Splits text into lines and applies its SGR sequences. Other sequences are dropped. @param {string} text @returns
 * {Run[][]}
 */
export function splitLines(text) {
  /** @type {Style} */
  let style = {}
  const parts = text.split(sequencePattern)
  /** @type {Run[][]} */
  const lines = [[]]
  for (let index = 0; index < parts.length; index += 3) {
    for (const [number, line] of (parts[index] ?? "").split("\n").entries()) {
      if (number > 0) lines.push([])
      if (line !== "") lines.at(-1)?.push({ text: line, style })
    }
    if (parts[index + 2] === "m") style = applySequence(style, parts[index + 1] ?? "")
  }
  return lines.flatMap(wrapLine)
}

/** Breaks a line that is too long into several. @param {Run[]} line @returns {Run[][]} */
function wrapLine(line) {
  /** @type {Run[][]} */
  const lines = [[]]
  let columnsLeft = sizes.columns
  for (const { text, style } of line) {
    for (let rest = [...text]; rest.length > 0; ) {
      if (columnsLeft === 0) columnsLeft = lines.push([]) && sizes.columns
      const part = rest.slice(0, columnsLeft)
      lines.at(-1)?.push({ text: part.join(""), style })
      columnsLeft -= part.length
      rest = rest.slice(part.length)
    }
  }
  return lines
}

/**
 * Returns the style that text has after an SGR sequence. @param {Style} style @param {string} codes @returns {Style}
 */
function applySequence(style, codes) {
  let { colour, bold, dim } = style
  for (const code of codes === "" ? [0] : codes.split(";").map(Number)) {
    if (code === 0 || code === 39) colour = undefined
    if (code === 0 || code === 22) bold = dim = false
    if (code === 1) bold = true
    if (code === 2) dim = true
    if (code in colours) colour = /** @type {keyof typeof colours} */ (code)
  }
  return { ...(colour && { colour }), ...(bold && { bold }), ...(dim && { dim }) }
}

/**
 * Returns the picture. It has attributes instead of CSS, so it looks the same under a content security policy that
 * forbids styles.
 *
 * @param {string} command that was typed
 * @param {string} output of the command, with its SGR sequences
 */
export function createTerminalPicture(command, output) {
  /** @type {Run[]} */
  const commandLine = [
    { text: "$ ", style: { colour: 90 } },
    { text: command, style: { bold: true } },
  ]
  const lines = [commandLine, ...splitLines(output.trimEnd())]
  const height = Math.ceil(sizes.top + (lines.length - 1) * sizes.line + 22)
  const texts = lines.map((line, number) => {
    const y = sizes.top + number * sizes.line
    const length = line.reduce((sum, { text }) => sum + [...text].length, 0)
    const lengthAttribute = `textLength="${Math.round(length * sizes.character * 10) / 10}"`
    return length === 0
      ? ""
      : `<text x="${sizes.left}" y="${y}" ${lengthAttribute}>${line.map(formatRun).join("")}</text>`
  })
  const { paper, ink, bar, edge } = windowColours
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sizes.width} ${height}" width="${sizes.width}" height="${height}" role="img"><title>${escapeText(command)}</title>
<rect x=".5" y=".5" width="${sizes.width - 1}" height="${height - 1}" rx="10" fill="${paper}" stroke="${edge}"/>
<path d="M1 ${sizes.bar}V11a10 10 0 0 1 10-10H${sizes.width - 11}a10 10 0 0 1 10 10V${sizes.bar}z" fill="${bar}"/>
<g font-family="${fonts}" font-size="${sizes.font}" fill="${ink}">
${texts.filter((text) => text !== "").join("\n")}
</g></svg>
`
}

/** @param {Run} run */
function formatRun({ text, style: { colour, bold, dim } }) {
  const fill = colour === undefined ? "" : ` fill="${colours[colour]}"`
  const attributes = `${fill}${bold ? ' font-weight="700"' : ""}${dim ? ' opacity=".65"' : ""}`
  return attributes === "" ? escapeText(text) : `<tspan${attributes}>${escapeText(text)}</tspan>`
}
