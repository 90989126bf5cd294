/**
 * Turns bugs of the program under `fw dev` into problems to show, and into answers to the requests that found them.
 */
import { isAbsolute } from "node:path"
import { prefersHTML } from "../../../lib/request/accept.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { toErrorData } from "../../project/error-data.ts"
import { findOwnFrame, locateProblem, type Problem, toProjectPath } from "../../project/problems.ts"
import { parseStackLine } from "../../project/stack-frames.ts"
import { createFrameworkTest } from "../../system/package.ts"
import { ProgramSources, type SourcePlace } from "../bundle/program-sources.ts"
import { toProblemPage } from "../page/problem-page.ts"
import { awaitFix } from "../server/floating-promises.ts"
import { findFixAt } from "./error-fixes.ts"
import { findImportPlace, findMissingPackage, type MissingPackage } from "./missing-package.ts"
import type { BugAnswer, FailedRequest } from "./request-errors.ts"

/** The largest number of stack frames and of causes to show. */
const maxFrames = 10
const maxCauses = 3

/** Positions for a bug, in addition to its stack. */
interface BugPlaces {
  readonly culprit?: SourcePlace | undefined
  readonly fallback?: SourcePlace | undefined
}

/** Turns bugs in a project's program into problems. */
export class BugProblems {
  readonly #root: string
  readonly #isFramework: (file: string) => boolean
  /** The sources of the running program. */
  sources: ProgramSources

  constructor(root: string) {
    this.#root = root
    this.#isFramework = createFrameworkTest(root)
    this.sources = new ProgramSources(root)
  }

  /**
   * Returns the problem for a thrown value.
   *
   * @param culprit the position to show, whatever the stack contains.
   * @param fallback the position to show if the stack has no line of the project.
   */
  toProblem(error: unknown, { culprit, fallback }: BugPlaces = {}, request?: FailedRequest): Problem {
    const { message, stack, fix } = toErrorData(error)
    const missing = findMissingPackage(this.#root, message)
    const ownFrame = culprit ?? findOwnFrame(this.#root, stack)
    const importPlace = missing && this.#findImport(missing, ownFrame, fallback)
    const location = importPlace ?? ownFrame ?? fallback
    const source = (location && this.sources.findText(location.file)) ?? ""
    const anyFix = fix ?? missing?.fix ?? findFixAt(this.#root, location ?? {}, message, source)
    const shortProblem: Problem = {
      message: missing?.message ?? message,
      ...(anyFix && { fix: anyFix }),
      ...(request && { request: formatRequest(request) }),
    }
    const formattedStack = this.#formatStack(error)
    const problem = formattedStack ? { ...shortProblem, stack: formattedStack } : shortProblem
    return location ? this.toProblemAt(location, problem) : problem
  }

  /**
   * Returns the problem for a rejected promise that nothing awaits.
   *
   * @param call an error whose stack is that of the call that returned the promise.
   */
  toUnawaitedProblem(error: unknown, call: Error): Problem {
    const stack = call.stack ?? ""
    const problem = {
      message: toErrorData(error).message,
      fix: awaitFix,
      stack: this.#formatFrames(stack).join("\n"),
    }
    const location = findOwnFrame(this.#root, stack)
    return location ? this.toProblemAt(location, problem) : problem
  }

  /** Returns a problem at a position, with the source lines of the running program. */
  toProblemAt(place: SourcePlace, problem: Problem): Problem {
    const frame = this.sources.findFrame(place)
    return { ...locateProblem(this.#root, place.file, place, problem), ...(frame && { frame }) }
  }

  /** Returns the stack frames of an error and its causes, without frames of fw and the runtime. */
  #formatStack(error: unknown): string {
    const lines: string[] = []
    for (let current = error, depth = 0; current instanceof Object && depth <= maxCauses; depth++) {
      const { message, stack } = toErrorData(current)
      if (depth > 0) lines.push(`caused by ${message}`)
      lines.push(...this.#formatFrames(stack))
      current = (current as { cause?: unknown }).cause
    }
    return lines.join("\n")
  }

  /**
   * Returns where a missing package is imported: in the file of the stack frame, otherwise first in the file of the
   * fallback, otherwise first in any file.
   */
  #findImport(missing: MissingPackage, ownFrame?: SourcePlace, fallback?: SourcePlace): SourcePlace | undefined {
    const line = ownFrame && this.sources.findText(ownFrame.file)?.split("\n")[ownFrame.line - 1]
    if (line && missing.literal.test(line)) return ownFrame
    const likelyFiles = [ownFrame, fallback].flatMap((place) => place?.file ?? [])
    for (const file of [...likelyFiles, ...this.sources.listFiles()]) {
      const location = findImportPlace(file, this.sources.findText(file) ?? "", missing)
      if (location) return location
    }
    return undefined
  }

  #formatFrames(stack: string): string[] {
    const frames = stack.split("\n").flatMap((text) => {
      const frame = parseStackLine(text)
      if (!frame || !isAbsolute(frame.file) || !this.#isShown(frame.file)) return []
      const { name, file, line, column } = frame
      const location = `${toProjectPath(this.#root, file)}:${line}:${column}`
      return [name ? `    at ${name} (${location})` : `    at ${location}`]
    })
    return frames.slice(0, maxFrames)
  }

  #isShown(file: string): boolean {
    const path = toProjectPath(this.#root, file)
    if (!path.startsWith("../") && !isAbsolute(path)) return !/^(?:\.fw|node_modules\/fw)\//.test(path)
    return !this.#isFramework(file)
  }
}

/** Returns the position of the handler for a request; undefined if the handler is not in a file. */
export function findHandlerPlace({ method, pattern }: FailedRequest, tree: RouteTree): SourcePlace | undefined {
  if (pattern === "") return undefined
  const verb = method === "HEAD" ? "GET" : method
  const route = tree.routes.find((one) => one.pattern === pattern && one.method === verb)
  if (route) return { file: route.file, line: route.line }
  const page = tree.pages.find((one) => one.pattern === pattern)
  return page && { file: page.file, line: 1 }
}

/** Returns the text with which problems show a request. */
export function formatRequest({ method, path, pattern }: FailedRequest): string {
  return `${method} ${path}${pattern && pattern !== path ? `, route ${pattern}` : ""}`
}

/** Returns true if an open page made the request. Such a page shows the bug in its overlay. */
export function isFromPage({ header }: FailedRequest): boolean {
  return header("hx-request") !== "" || header("sec-fetch-dest") === "empty"
}

/**
 * Returns the answer to a request that found a bug: a page for navigations of a browser, JSON for others. Returns
 * null for htmx, which would insert the answer into the page: htmx gets the program's own answer, and the open page
 * shows the bug.
 */
export function toBugAnswer(problem: Problem, request: FailedRequest): BugAnswer | null {
  if (request.header("hx-request") !== "") return null
  const isPage = prefersHTML(request.header("accept")) && !isFromPage(request)
  if (isPage) return toProblemPage([problem])
  const { message, fix, file, line, column, frame, stack } = problem
  const { method, path, pattern } = request
  const dev = { file, line, column, frame, stack, fix, request: { method, path, pattern } }
  return {
    type: "application/json",
    body: JSON.stringify({ error: "internal_server_error", message, dev }),
  }
}
