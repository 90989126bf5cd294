/** Warns of URLs with the text of a missing value, such as `/users/undefined`. */
import type { Problem } from "../project/problems.ts"
import { placeOf } from "./blocked.ts"
import type { SourcePlace } from "./ran.ts"

/** Texts of values that are not part of a path: of undefined, null, NaN, and of objects, also as a header encodes them. */
const odd = /^(?:undefined|null|NaN|(?:\[|%5B)object(?: |%20)\w+(?:\]|%5D))$/i
/** Most characters of a URL to show. */
const shown = 80

/** Returns the segment of a URL's path that is the text of such a value. */
export function oddSegment(url: string): string | undefined {
  const [path = ""] = url.split(/[?#]/)
  const found = path.split("/").find((segment) => odd.test(segment))
  return found === undefined ? undefined : decodeURIComponent(found)
}

/** Returns a function that takes URLs, and reports each place once. */
export function oddURLs(
  root: string,
  report: (problem: Problem, place: SourcePlace | undefined) => void,
): (url: string) => void {
  const seen = new Set<string>()
  return (url) => {
    const segment = oddSegment(url)
    if (segment === undefined) return
    const place = placeOf(root, new Error("odd").stack ?? "")
    const key = place ? `${place.file}:${place.line}` : url
    if (seen.has(key)) return
    seen.add(key)
    const text = JSON.stringify(url.length > shown ? `${url.slice(0, shown)}…` : url)
    const what = /object/i.test(segment) ? "an object" : segment
    report({ message: `the URL ${text} was made with ${what} in its path`, fix: fixOf(segment) }, place)
  }
}

function fixOf(segment: string): string {
  if (/object/i.test(segment)) return "Write the property that the path needs, such as user.id."
  return `The expression in the braces of this URL is ${segment}. Is the name of its property right, and is the value there already?`
}
