/** Finds attributes in templates that browsers and htmx ignore: misspelt names, and methods that forms do not have. */
import { htmxNames } from "../../../lib/html/attributes.ts"
import { lineStarts, locate } from "../../../lib/template/position.ts"
import { nearest } from "../../cli/suggest.ts"
import { warning } from "./finding.ts"
import { ofTemplates } from "./of-sources.ts"

const named = /(?<=\s)hx-([a-z][\w-]*)(?=\s*=\s*["'{])/g
const form = /<form\s(?:[^<>{}]*\s)?(method=["']?(\w+))[^<>]*>/gi
const known = htmxNames().map((name) => name.slice(3))
/** Names of htmx 1 and 2, and of their extensions. */
const others = new Set(
  "ext history inherit disinherit params prompt disabled-elt preload head swap-head optimistic".split(" "),
)

/** Returns a warning for each such attribute in the templates of a project. */
export const ignoredAttributes = ofTemplates((file, text) => {
  const found = [...misspelt(text), ...methods(text)]
  const starts = found.length > 0 ? lineStarts(text) : []
  return found.map(({ code, at, what, fix }) => {
    const { line, column } = locate(starts, at)
    return warning(code, { file, line: line + 1, column: column + 1 }, what, fix)
  })
})

interface Slip {
  readonly code: string
  readonly at: number
  readonly what: string
  readonly fix: string
}

function misspelt(text: string): Slip[] {
  return [...text.matchAll(named)].flatMap(({ 1: name = "", index }) => {
    // Extensions add words to a name, as in hx-target-404.
    if (others.has(name) || known.some((one) => name === one || name.startsWith(`${one}-`))) return []
    const meant = nearest(name, known)
    const what = `htmx ignores hx-${name}`
    return meant ? [{ code: "htmx_name", at: index, what, fix: `Did you mean hx-${meant}?` }] : []
  })
}

/** Forms send GET for every other method (HTML §4.10.18.6). */
function methods(text: string): Slip[] {
  return [...text.matchAll(form)].flatMap(({ 0: tag, 1: attribute = "", 2: method = "", index }) => {
    if (/^(?:get|post|dialog)$/i.test(method) || /\s(?:hx|x|v|data)-|\s[@:]/.test(tag)) return []
    const what = `a browser sends this form with GET: a form has no method "${method}"`
    const fix = /^(?:put|patch|delete)$/i.test(method)
      ? `Write method="post", or send it by htmx: hx-${method.toLowerCase()}="…" in place of method and action.`
      : 'Write method="post" or method="get".'
    return [{ code: "form_method", at: index + tag.indexOf(attribute), what, fix }]
  })
}
