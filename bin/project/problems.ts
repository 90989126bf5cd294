/** What goes wrong while a project is developed, as data: with place and code frame, for the terminal and for the page. Used by all of `fw dev`. */
import { readFileSync } from "node:fs"
import { isAbsolute, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { FwError } from "../../lib/errors.ts"
import { codeFrame, type Mark } from "../../lib/template/code-frame.ts"
import { fold } from "../cli/layout.ts"
import type { Style } from "../cli/terminal.ts"
import { modulePattern, programRunners } from "../system/framework-files.ts"

/** One thing that is wrong. */
export interface Problem {
  readonly message: string
  /** Relative to the project, with forward slashes. */
  readonly file?: string
  /** Counts from 1, as the column does. */
  readonly line?: number
  readonly column?: number
  /** The lines around the place, with a mark under it. */
  readonly frame?: string
  /** What to do about it. */
  readonly fix?: string
  readonly stack?: string
}

/** An error as it crosses from the server process: plain data. */
export interface ErrorData {
  readonly message: string
  readonly stack: string
  /** The `code` of system errors and of fw's own. */
  readonly code?: string
  /** An FwError's advice. */
  readonly fix?: string
}

/** A path as people of the project write it. */
export function shownPath(root: string, path: string): string {
  const inner = isAbsolute(path) ? relative(root, path) : path
  return inner.split(sep).join("/")
}

/** The changed files, or how many there are. */
export function namesOf(root: string, changed: ReadonlySet<string>): string {
  const names = [...changed].map((path) => shownPath(root, path)).sort()
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ")
}

/** A problem at a place, with its frame where the file can be read. `room` is as in FrameSize. */
export function problemAt(
  root: string,
  file: string,
  mark: Mark | undefined,
  rest: Problem,
  room?: number,
): Problem {
  const shown = shownPath(root, file)
  if (!mark) return { ...rest, file: shown }
  const { line, column } = mark
  const frame = readFrame(join(root, shown), mark, room)
  return { ...rest, file: shown, line, ...(column && { column }), ...(frame && { frame }) }
}

function readFrame(path: string, mark: Mark, room?: number): string | undefined {
  try {
    return codeFrame(readFileSync(path, "utf8"), mark, { room })
  } catch {
    return undefined
  }
}

/** What an FwError tells: each of its problems, where it gathers several. */
export function problemsOf(root: string, error: FwError): Problem[] {
  const several = "problems" in error && Array.isArray(error.problems) ? error.problems : [error]
  return several.map(({ message, fix, at }: FwError) => {
    if (!at) return { message, fix }
    const mark = at.line === undefined ? undefined : { line: at.line, column: at.column }
    return problemAt(root, at.file, mark, { message, fix })
  })
}

/** An error's parts that a problem needs. Whatever can be thrown has some. */
export function errorData(error: unknown): ErrorData {
  if (typeof error !== "object" || error === null || !("message" in error))
    return { message: `thrown: ${String(error)}`, stack: "" }
  const { name, message, stack, code, fix } = error as Record<string, unknown>
  const title = name && name !== "FwError" && name !== "Error" ? `${name}: ${message}` : String(message)
  return {
    message: title,
    stack: typeof stack === "string" ? stack : "",
    ...(typeof code === "string" && { code }),
    // FwError by shape: the project's copy of fw need not be the command's.
    ...(typeof fix === "string" && { fix }),
  }
}

/** The problem that ended a server process, at the uppermost frame of its stack that is the project's own code. */
export function crashProblem(root: string, { message, stack, fix }: ErrorData): Problem {
  const place = ownFrame(root, stack)
  const rest = { message, ...(fix ? { fix } : {}), ...(stack ? { stack: withoutLoader(stack) } : {}) }
  return place ? problemAt(root, place.file, place, rest) : rest
}

/** The frames of what runs a program's modules in turn say nothing about the program. */
const loaderFrame = new RegExp(
  `^ +at .*[/\\\\](?:${modulePattern(...programRunners)}|\\.fw[/\\\\](?:entry\\.dev\\.js|dev[/\\\\].*)):\\d+:\\d+\\)?(?:\\n|$)`,
  "gm",
)

function withoutLoader(stack: string): string {
  return stack.replace(loaderFrame, "").trimEnd()
}

/** `at name (path:1:2)` or `at path:1:2`; a path may hold spaces and, in a route's group, parentheses. */
const frameLine = /^\s+at (?:.*? \()?(?:async )?(.+?):(\d+):(\d+)\)?$/gm

function ownFrame(root: string, stack: string): (Mark & { file: string }) | undefined {
  for (const [, path = "", line, column] of stack.matchAll(frameLine)) {
    const file = path.startsWith("file:") ? fileURLToPath(path) : path
    const shown = shownPath(root, file)
    const isOwn = !shown.startsWith("../") && !/(?:^|\/)(?:node_modules|\.fw)\//.test(shown)
    if (isAbsolute(file) && isOwn) return { file: shown, line: Number(line), column: Number(column) }
  }
  return undefined
}

/** A problem as a terminal shows it, no line of its words longer than `width`. */
export function problemText(
  problem: Problem,
  style: Style,
  kind: "error" | "warning" = "error",
  width = Number.POSITIVE_INFINITY,
): string {
  const { message, file, line, column, frame, fix, stack } = problem
  const place = [file, line, column].filter((part) => part !== undefined).join(":")
  const paint = kind === "error" ? style.red : style.yellow
  const head = fold(`${kind}: ${message}`, width)
  const lines = [`${paint(style.bold(`${kind}:`))}${head.slice(kind.length + 1)}`]
  if (place) lines.push(`  ${style.cyan(place)}`)
  if (frame) lines.push(indented(frame))
  if (fix) lines.push(fold(`  ${fix}`, width))
  if (stack) lines.push(style.dim(indented(framesOf(stack))))
  return `${lines.filter((text) => text !== "").join("\n")}\n`
}

function framesOf(stack: string): string {
  const frames = stack.split("\n").filter((text) => /^\s+at /.test(text) && !text.includes(" (node:"))
  return frames.map((text) => text.trim()).join("\n")
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ")
}
