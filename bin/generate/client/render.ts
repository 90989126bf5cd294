/** Formats TypeScript in a way that formatters do not change. */
import { renderKey } from "./names.ts"

/** The longest line, in characters. */
const maxLineLength = 110

/** Returns a doc comment, on one line if possible; nothing for an empty text. */
export function renderComment(text: string, indent = ""): string {
  const lines = text.trim().replaceAll("*/", "*\\/").split("\n")
  if (lines.join("") === "") return ""
  if (lines.length === 1 && indent.length + (lines[0] as string).length + 7 <= maxLineLength)
    return `${indent}/** ${lines[0]} */\n`
  const inner = lines.map((line) => `${indent} * ${line}`.trimEnd())
  return `${indent}/**\n${inner.join("\n")}\n${indent} */\n`
}

/** Returns `start` and the members of a union, on several lines if they do not fit on one. */
export function renderUnion(start: string, members: readonly string[], indent = ""): string {
  const line = `${indent}${start} ${members.join(" | ")}`
  if (line.length <= maxLineLength || members.length < 2) return `${line}\n`
  return `${indent}${start}\n${members.map((member) => `${indent}  | ${member}\n`).join("")}`
}

/** Returns plain data as a literal. */
export function renderData(value: unknown, indent: string, start: number): string {
  const line = renderShort(value)
  if (start + line.length + 1 <= maxLineLength || typeof value !== "object" || value === null) return line
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${renderData(item, inner, inner.length)},\n`)
    : Object.entries(value).map(([key, item]) => {
        const name = `${inner}${renderNumberKey(key)}: `
        return `${name}${renderData(item, inner, name.length)},\n`
      })
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${lines.join("")}${indent}${close}`
}

function renderShort(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderShort).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  const entries = Object.entries(value).map(([key, item]) => `${renderNumberKey(key)}: ${renderShort(item)}`)
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`
}

function renderNumberKey(key: string): string {
  return /^\d{3}$/.test(key) ? key : renderKey(key)
}
