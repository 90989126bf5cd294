/** Problems during development, as data with position and source lines, for the terminal and for pages. */
import { readFileSync } from "node:fs"
import { isAbsolute, join, relative, sep } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { type FramePosition, formatCodeFrame } from "../../template/code-frame.ts"
import { foldLines } from "../cli/layout.ts"
import type { Style } from "../cli/terminal.ts"
import { createFrameworkTest } from "../system/package.ts"
import type { ErrorData } from "./error-data.ts"
import { parseStackLine } from "./stack-frames.ts"

/** A problem. */
export interface Problem {
  readonly message: string
  /** Path relative to the project, with forward slashes. */
  readonly file?: string
  /** Line number from 1. The column counts from 1 too. */
  readonly line?: number
  readonly column?: number
  /** The lines around the position, with a mark below it. */
  readonly frame?: string
  readonly fix?: string
  readonly stack?: string
  /** The request that caused it, such as `GET /users/7, route /users/{id}`. */
  readonly request?: string
  /** The action of the button on the page: `migrate` applies pending migrations. */
  readonly action?: "migrate"
}

/** Returns a path relative to the project, as users write it. */
export function toProjectPath(root: string, path: string): string {
  const inner = isAbsolute(path) ? relative(root, path) : path
  return inner.split(sep).join("/")
}

/** Returns the names of changed files; if there are more than three, two names and the number of the others. */
export function formatChangedFiles(root: string, changed: ReadonlySet<string>): string {
  const names = [...changed].map((path) => toProjectPath(root, path)).sort()
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ")
}

/**
 * Returns a problem at a position, with source lines if the file can be read.
 *
 * @param maxLineLength the longest source line to show, in characters. Default: that of `formatCodeFrame()`.
 */
export function locateProblem(
  root: string,
  file: string,
  mark: FramePosition | undefined,
  rest: Problem,
  maxLineLength?: number,
): Problem {
  const projectPath = toProjectPath(root, file)
  if (!mark) return { ...rest, file: projectPath }
  const { line, column } = mark
  const frame = readFrame(join(root, projectPath), mark, maxLineLength)
  return { ...rest, file: projectPath, line, ...(column && { column }), ...(frame && { frame }) }
}

function readFrame(path: string, mark: FramePosition, maxColumns?: number): string | undefined {
  try {
    return formatCodeFrame(readFileSync(path, "utf8"), mark, { maxColumns })
  } catch {
    return undefined
  }
}

/** Returns the problems of an FwError. An error may collect several. */
export function toProblems(root: string, error: FwError): Problem[] {
  const errors = "problems" in error && Array.isArray(error.problems) ? error.problems : [error]
  return errors.map(({ message, fix, at }: FwError) => {
    if (!at) return { message, fix }
    const mark = at.line === undefined ? undefined : { line: at.line, column: at.column }
    return locateProblem(root, at.file, mark, { message, fix })
  })
}

/**
 * Returns the problem that ended a server process. Its position is the topmost stack frame in the project's own
 * code.
 */
export function toCrashProblem(root: string, { message, stack, fix, frame }: ErrorData): Problem {
  const location = findOwnFrame(root, stack)
  const frames = removeForeignFrames(root, stack)
  // A stack without frames only repeats the message.
  const rest = { message, ...(fix ? { fix } : {}), ...(/^\s+at /m.test(frames) ? { stack: frames } : {}) }
  return location ? { ...locateProblem(root, location.file, location, rest), ...(frame && { frame }) } : rest
}

/** Matches files that load a program's modules. Their frames explain nothing. */
const loaderPattern = /[/\\]\.fw[/\\](?:entry\.dev\.js$|dev[/\\])/

/** Matches a stack frame of Node itself, such as `Array.map (<anonymous>)`. */
const nodeFramePattern = /^ +at (?:.*\()?(?:node:|<anonymous>\))/

const isFramework = createFrameworkTest()

/**
 * Removes the frames of fw, Node and the loader from a stack. If fw threw the error, the message contains its
 * position.
 */
export function removeForeignFrames(root: string, stack: string): string {
  const isShown = (line: string) => {
    const file = parseStackLine(line)?.file ?? ""
    return !nodeFramePattern.test(line) && !loaderPattern.test(file) && !isFramework(file)
  }
  return stack
    .split("\n")
    .filter(isShown)
    .join("\n")
    .replaceAll(`file://${root}${sep}`, "")
    .replaceAll(`${root}${sep}`, "")
    .trimEnd()
}

/** Returns the topmost position of a stack in the project's own code. */
export function findOwnFrame(root: string, stack: string): (FramePosition & { file: string }) | undefined {
  for (const text of stack.split("\n")) {
    const frame = parseStackLine(text)
    if (!frame) continue
    const { file, line, column } = frame
    const projectPath = toProjectPath(root, file)
    const isOwn = !projectPath.startsWith("../") && !/(?:^|\/)(?:node_modules|\.fw)\//.test(projectPath)
    if (isAbsolute(file) && isOwn) return { file: projectPath, line, column }
  }
  return undefined
}

/** Formats a problem for a terminal. No line is longer than `width`. */
export function formatProblem(
  problem: Problem,
  style: Style,
  kind: "error" | "warning" = "error",
  width = Number.POSITIVE_INFINITY,
): string {
  const { message, file, line, column, frame, fix, stack, request } = problem
  const location = [file, line, column].filter((part) => part !== undefined).join(":")
  const paint = kind === "error" ? style.red : style.yellow
  const head = foldLines(`${kind}: ${message}`, width)
  const lines = [`${paint(style.bold(`${kind}:`))}${head.slice(kind.length + 1)}`]
  if (location) lines.push(`  ${style.cyan(location)}`)
  if (frame) lines.push(indent(frame))
  if (fix) lines.push(foldLines(`  ${fix}`, width))
  if (request) lines.push(foldLines(`  ${request}`, width))
  if (stack) lines.push(style.dim(indent(keepFrames(stack))))
  return `${lines.filter((text) => text !== "").join("\n")}\n`
}

/**
 * Returns the frames of a stack and the messages of its causes. The first message is left out, because it was
 * printed above.
 */
function keepFrames(stack: string): string {
  let isInCause = false
  const lines = stack.split("\n").filter((text) => {
    const isFrame = /^\s+at /.test(text)
    isInCause = !isFrame && (isInCause || text.startsWith("caused by "))
    return isFrame ? !text.includes(" (node:") : isInCause
  })
  return lines.map((text) => text.trim()).join("\n")
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ")
}
