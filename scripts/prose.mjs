/** Reads what people read out of a file: the text of a document, the comments and messages of a source file. */

/**
 * @typedef {object} Passage a piece of text, as long as the source that it comes from
 * @property {string} text with code in backticks blanked out and its lines joined
 * @property {number} at its offset in the file
 * @property {boolean} [doc] true for a doc comment
 */

/** Replaces a text by as many underscores, so that offsets stay the same. */
const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, "_")

const spaces = (/** @type {string} */ text) => " ".repeat(text.length)

/** Blanks out code in backticks and the targets of links, takes off what opens a comment, a string or an item, and joins the lines. */
const plain = (/** @type {string} */ text) =>
  text
    .replace(/^(?:\/\*+|\/\/|["'`]|[-*|>]|#+|\d+\.(?= ))/, spaces)
    .replace(/`[^`\n]*`|\]\([^)\s]*\)/g, blank)
    .replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#)?/g, spaces)

/** A string with a space next to a letter is a message. Others are names and values. */
const isMessage = (/** @type {string} */ text) => /[a-z] | [a-z]/i.test(text)

/** A token of TypeScript that is not plain code: a comment, a string, a backtick, a brace or a regular expression. */
const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[`{}]|(?<=(?:[=(,:[!&|?{};>]|\breturn)\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g

/** The text of a template literal up to its end or to a `${`. */
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)?/y

/**
 * Returns the comments and messages of a source file in JavaScript or TypeScript.
 *
 * @param {string} source
 * @returns {Passage[]}
 */
export function passagesOfCode(source) {
  /** @type {Passage[]} */
  const passages = []
  /** Open braces: the template of a `${`, or nothing for any other brace. @type {(Passage | undefined)[]} */
  const open = []
  let at = 0
  const readTemplate = (/** @type {Passage} */ begun) => {
    templateText.lastIndex = at
    const found = templateText.exec(source)?.[0] ?? ""
    at += found.length
    const template = { text: begun.text + found, at: begun.at }
    if (found.endsWith("${")) open.push(template)
    else if (isMessage(template.text)) passages.push({ ...template, text: plain(template.text) })
  }
  for (;;) {
    token.lastIndex = at
    const found = token.exec(source)
    if (found === null) return passages
    const [text] = found
    const start = found.index
    at = start + text.length
    if (text === "{") open.push(undefined)
    else if (text === "`") readTemplate({ text: "", at })
    else if (text === "}") {
      const template = open.pop()
      if (template) readTemplate({ text: template.text.padEnd(at - template.at, "_"), at: template.at })
    } else if (text.startsWith("/*")) passages.push({ text: plain(text), at: start, doc: text[2] === "*" })
    else if (text.startsWith("//") || (/^["']/.test(text) && isMessage(text)))
      passages.push({ text: plain(text), at: start })
  }
}

/**
 * Returns the comments of a template, its strings in double quotes, and the text between tags and braces.
 *
 * @param {string} source
 * @returns {Passage[]}
 */
export function passagesOfTemplate(source) {
  const parts = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|"[^"\n]*"|(?<=[>}])[^<>{}]+(?=[<{])/g
  return [...source.matchAll(parts)]
    .filter(({ 0: text }) => isMessage(text))
    .map(({ 0: text, index }) => ({ text: plain(text), at: index, doc: text.startsWith("/**") }))
}

/**
 * Returns the paragraphs of a document, and the comments and messages of its blocks of code.
 *
 * @param {string} source Markdown, or any other text
 * @returns {Passage[]}
 */
export function passagesOfText(source) {
  /** @type {Passage[]} */
  const passages = []
  const prose = source.replace(/^([ \t]*)(```+)(\w*)[^\n]*\n([\s\S]*?)^\1\2/gm, (block, ...groups) => {
    const [, , language, code, start] = groups
    const at = start + block.indexOf(code)
    if (/^(?:[cm]?[jt]sx?)$/.test(language))
      for (const passage of passagesOfCode(code)) passages.push({ ...passage, at: at + passage.at })
    else
      for (const comment of code.matchAll(/(?:^|\s)#[^\n]*/g))
        if (language === "sh") passages.push({ text: plain(comment[0]), at: at + comment.index })
    return block.replace(/[^\n]/g, " ")
  })
  // A paragraph, an item, a heading or a row of a table.
  for (const { 0: text, index } of prose.matchAll(
    /\S[^\n]*(?:\n(?![ \t]*(?:\n|[-*|#>]|\d+\. ))[^\n]*\S[^\n]*)*/g,
  ))
    passages.push({ text: plain(text), at: index })
  return passages
}
