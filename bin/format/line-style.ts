/** Reads how a project formats lines: from `.editorconfig`, and from the configuration of its formatter. */

import { readFile } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { isInside } from "../system/path-containment.ts"
import type { LineStyle } from "./layout.ts"

/** The settings of a formatter. Settings that it does not have are undefined. */
export interface FormatterSettings {
  readonly indentWidth?: number | undefined
  readonly useTabs?: boolean | undefined
  readonly lineWidth?: number | undefined
}

const defaultStyle = { indentWidth: 2, useTabs: false, lineWidth: 110 }
const minimums = { indentWidth: 1, lineWidth: 20 }

/** Returns how the lines of a file are formatted. The project's formatter comes before `.editorconfig`. */
export async function readLineStyle(
  root: string,
  file: string,
  text: string,
  formatter: FormatterSettings,
): Promise<LineStyle> {
  const editor = await readEditorSettings(root, file)
  return {
    indentWidth:
      toValidWidth(formatter.indentWidth ?? editor.indentWidth, minimums.indentWidth) ?? defaultStyle.indentWidth,
    useTabs: formatter.useTabs ?? editor.useTabs ?? defaultStyle.useTabs,
    lineWidth: toValidWidth(formatter.lineWidth ?? editor.lineWidth, minimums.lineWidth) ?? defaultStyle.lineWidth,
    // The file keeps its line endings.
    lineEnding: /\r?\n/.exec(text)?.[0] === "\r\n" ? "\r\n" : "\n",
  }
}

function toValidWidth(value: number | undefined, minimum: number): number | undefined {
  return value !== undefined && value >= minimum && Number.isFinite(value) ? value : undefined
}

/** Returns the settings from the `.editorconfig` files between the project and a file. */
async function readEditorSettings(root: string, file: string): Promise<FormatterSettings> {
  let properties: Record<string, string> = {}
  for (const directory of findDirectories(root, join(root, file))) {
    const text = await readFile(join(directory, ".editorconfig"), "utf8").catch(() => "")
    const path = relative(directory, join(root, file)).split(sep).join("/")
    const { isRoot, found } = parseEditorconfig(text, path)
    properties = isRoot ? found : { ...properties, ...found }
  }
  const { indent_style: style, indent_size: size, tab_width: tab, max_line_length: length } = properties
  return {
    indentWidth: toNumber(size === "tab" || size === undefined ? tab : size),
    useTabs: style === undefined ? undefined : style === "tab",
    lineWidth: length === "off" ? 1_000_000 : toNumber(length),
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
}

/** Returns the directories from the root to a file, the outermost first. */
function findDirectories(root: string, path: string): string[] {
  const found: string[] = []
  for (let at = dirname(path); isInside(at, root); at = dirname(at)) found.unshift(at)
  return found
}

/** Reads the properties that an `.editorconfig` sets for a path (editorconfig.org, version 0.17). */
function parseEditorconfig(text: string, path: string): { isRoot: boolean; found: Record<string, string> } {
  const found: Record<string, string> = {}
  let isRoot = false
  let applies: boolean | undefined
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1]
    const [, key = "", value = ""] = /^\s*([^#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (section !== undefined) applies = toGlobPattern(section).test(path)
    else if (applies === undefined) isRoot ||= key.toLowerCase() === "root" && value.toLowerCase() === "true"
    else if (applies && key !== "") found[key.toLowerCase()] = value.toLowerCase()
  }
  return { isRoot, found }
}

/** Converts the name of a section to a regular expression: `*`, `**`, `?`, `[…]`, `{a,b}`, `{1..3}`. */
function toGlobPattern(glob: string): RegExp {
  let depth = 0
  const body = glob.replace(
    /\\.|\*\*|\*|\?|\{(-?\d+)\.\.(-?\d+)\}|\[!?[^\]]*\]|[{},]|[.+^$()|[\]\\/]/g,
    (part, from) => {
      if (part === "**") return ".*"
      if (part === "*") return "[^/]*"
      if (part === "?") return "[^/]"
      if (from !== undefined) return "-?\\d+"
      if (part.length > 2 && part.startsWith("[")) return part.replace(/^\[!/, "[^").replace(/\\/g, "\\\\")
      if (part === "{") return ++depth > 0 ? "(?:" : ""
      if (part === "}") return depth-- > 0 ? ")" : "\\}"
      if (part === ",") return depth > 0 ? "|" : ","
      return part.startsWith("\\") && part.length === 2 ? `\\${part[1]}` : part === "/" ? "/" : `\\${part}`
    },
  )
  const anchored = glob.includes("/") ? body.replace(/^\//, "") : `(?:.*/)?${body}`
  try {
    return new RegExp(`^${anchored}$`)
  } catch {
    // A section with unbalanced braces applies to no file.
    return /(?!)/
  }
}
