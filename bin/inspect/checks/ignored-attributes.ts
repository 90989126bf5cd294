/**
 * Finds attributes in templates that browsers and htmx ignore: misspelt names, and methods that forms cannot send.
 */
import { listHTMXNames } from "../../../lib/html/attributes.ts"
import { findNearest } from "../../cli/find-nearest.ts"
import { createTemplateCheck, type SourceProblem } from "./source-checks.ts"

const htmxAttribute = /(?<=\s)hx-([a-z][\w-]*)(?=\s*=\s*["'{])/g
const formTag = /<form\s(?:[^<>{}]*\s)?(method=["']?(\w+))[^<>]*>/gi
const knownNames = listHTMXNames().map((name) => name.slice(3))
/** Attributes of htmx 1 and 2, and of their extensions. */
const oldNames = new Set(
  "ext history inherit disinherit params prompt disabled-elt preload head swap-head optimistic".split(" "),
)

/** Returns a warning for each attribute in a project's templates that browsers or htmx ignore. */
export const findIgnoredAttributes = createTemplateCheck((text) => [
  ...findMisspeltNames(text),
  ...findWrongMethods(text),
])

function findMisspeltNames(text: string): SourceProblem[] {
  return [...text.matchAll(htmxAttribute)].flatMap(({ 1: name = "", index }) => {
    // Extensions append words to a name, as in hx-target-404.
    if (oldNames.has(name) || knownNames.some((one) => name === one || name.startsWith(`${one}-`))) return []
    const similar = findNearest(name, knownNames)
    const message = `htmx ignores hx-${name}`
    return similar ? [{ code: "htmx_name", offset: index, message, fix: `Did you mean hx-${similar}?` }] : []
  })
}

/** Finds forms with a method that browsers replace by GET (HTML §4.10.18.6). */
function findWrongMethods(text: string): SourceProblem[] {
  return [...text.matchAll(formTag)].flatMap(({ 0: tag, 1: attribute = "", 2: method = "", index }) => {
    if (/^(?:get|post|dialog)$/i.test(method) || /\s(?:hx|x|v|data)-|\s[@:]/.test(tag)) return []
    const message = `a browser sends this form with GET: a form has no method "${method}"`
    const fix = /^(?:put|patch|delete)$/i.test(method)
      ? `Write method="post", or send it by htmx: hx-${method.toLowerCase()}="…" in place of method and action.`
      : 'Write method="post" or method="get".'
    return [{ code: "form_method", offset: index + tag.indexOf(attribute), message, fix }]
  })
}
