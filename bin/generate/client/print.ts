/** Lines of TypeScript in the format that formatters leave as it is. */
import { keyText } from "./names.ts"

/** Longest line. */
const width = 110

/** Returns a comment, one line if it has one; nothing for an empty text. */
export function commentText(text: string, indent = ""): string {
  const lines = text.trim().replaceAll("*/", "*\\/").split("\n")
  if (lines.join("") === "") return ""
  if (lines.length === 1 && indent.length + (lines[0] as string).length + 7 <= width)
    return `${indent}/** ${lines[0]} */\n`
  const inner = lines.map((line) => `${indent} * ${line}`.trimEnd())
  return `${indent}/**\n${inner.join("\n")}\n${indent} */\n`
}

/** Returns `start` with the members of a union, on lines of their own if they do not fit. */
export function unionText(start: string, members: readonly string[], indent = ""): string {
  const line = `${indent}${start} ${members.join(" | ")}`
  if (line.length <= width || members.length < 2) return `${line}\n`
  return `${indent}${start}\n${members.map((member) => `${indent}  | ${member}\n`).join("")}`
}

/** Returns a value of data as an object literal. */
export function dataText(value: unknown, indent: string, start: number): string {
  const short = shortText(value)
  if (start + short.length + 1 <= width || typeof value !== "object" || value === null) return short
  const inner = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${dataText(item, inner, inner.length)},\n`)
    : Object.entries(value).map(([key, item]) => {
        const name = `${inner}${numberKey(key)}: `
        return `${name}${dataText(item, inner, name.length)},\n`
      })
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return `${open}\n${lines.join("")}${indent}${close}`
}

function shortText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shortText).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined"
  const entries = Object.entries(value).map(([key, item]) => `${numberKey(key)}: ${shortText(item)}`)
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`
}

function numberKey(key: string): string {
  return /^\d{3}$/.test(key) ? key : keyText(key)
}
