/** Replaces answers to navigations that would hide a problem from the developer. */
import type { IncomingMessage } from "node:http"
import type { Problem } from "../../project/problems.ts"
import { isNavigation } from "./inject.ts"
import { type OwnAnswer, toProblemPage } from "./problem-page.ts"

/** The number of redirects in a row after which a page explains them. Browsers follow about twenty. */
const maxRedirects = 10

/** Finds the answers to replace. */
export class NavigationAnswers {
  readonly #problems: () => readonly Problem[]
  /** The paths of the current series of redirects. */
  #redirectPaths: string[] = []
  /** The target of the last redirect. */
  #lastTarget = ""

  /** @param problems returns the current problems of the build. */
  constructor(problems: () => readonly Problem[]) {
    this.#problems = problems
  }

  /** Returns the answer to send instead of the program's; null to send the program's. */
  findReplacement(incoming: IncomingMessage, { statusCode = 0, headers }: IncomingMessage): OwnAnswer | null {
    if (!isNavigation(incoming) || incoming.method !== "GET") return null
    const { location } = headers
    if (location !== undefined && /^30[12378]$/.test(String(statusCode))) return this.#explainCircle(incoming, location)
    this.#redirectPaths = []
    // Text and JSON cannot show problems in an overlay, and this answer is from an old program.
    const isText = /^(?:text\/plain|application\/(?:[\w.]+\+)?json)\b/i.test(headers["content-type"] ?? "")
    const problems = isText ? this.#problems() : []
    return problems.length > 0 ? toProblemPage(problems) : null
  }

  #explainCircle(incoming: IncomingMessage, location: string): OwnAnswer | null {
    const { url = "/", headers } = incoming
    const base = `http://${headers.host ?? "localhost"}`
    if (this.#lastTarget !== `${base}${url}`) this.#redirectPaths = []
    this.#redirectPaths.push(toPath(url, base))
    this.#lastTarget = URL.canParse(location, `${base}${url}`) ? new URL(location, `${base}${url}`).href : ""
    if (this.#redirectPaths.length < maxRedirects) return null
    const path = toPath(url, base)
    const circle = this.#redirectPaths.slice(this.#redirectPaths.lastIndexOf(path, -2))
    this.#redirectPaths = []
    const fix = `Redirect only requests for other pages, as in if (c.path !== ${JSON.stringify(path)}).`
    const message = `${path} redirects in a circle: ${circle.join(" → ")}`
    return toProblemPage([{ message, fix }])
  }
}

/** Returns the path of a URL. The query may contain secrets, so it is not shown. */
function toPath(url: string, base: string): string {
  return URL.canParse(url, base) ? new URL(url, base).pathname : url
}
