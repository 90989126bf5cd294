/** Warns of URLs that contain a missing value as text, such as `/users/undefined`. */
import { shortenText } from "../../../lib/text.ts"
import type { Problem } from "../../project/problems.ts"
import type { SourcePlace } from "../bundle/program-sources.ts"
import { findPlace } from "./blocked-values.ts"

/** Matches values that do not belong in a path: undefined, null, NaN and objects, also percent-encoded. */
const oddText = /^(?:undefined|null|NaN|(?:\[|%5B)object(?: |%20)\w+(?:\]|%5D))$/i
/** The longest URL to show, in characters. */
const maxShownLength = 80

/** Returns the segment of a URL's path that is a missing value as text. */
export function findOddSegment(url: string): string | undefined {
  const [path = ""] = url.split(/[?#]/)
  const found = path.split("/").find((segment) => oddText.test(segment))
  return found === undefined ? undefined : decodeURIComponent(found)
}

/** Returns a function that checks URLs and reports each position once. */
export function watchOddURLs(
  root: string,
  report: (problem: Problem, place: SourcePlace | undefined) => void,
): (url: string) => void {
  const reportedKeys = new Set<string>()
  return (url) => {
    const segment = findOddSegment(url)
    if (segment === undefined) return
    const location = findPlace(root, new Error("odd").stack ?? "")
    const key = location ? `${location.file}:${location.line}` : url
    if (reportedKeys.has(key)) return
    reportedKeys.add(key)
    const text = JSON.stringify(shortenText(url, maxShownLength))
    const value = /object/i.test(segment) ? "an object" : segment
    report({ message: `the URL ${text} was made with ${value} in its path`, fix: toFix(segment) }, location)
  }
}

function toFix(segment: string): string {
  if (/object/i.test(segment)) return "Write the property that the path needs, such as user.id."
  return `The expression in the braces of this URL is ${segment}. Is the name of its property right, and is the value there already?`
}
