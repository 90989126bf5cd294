/** Compares texts in guides with real ones: … stands for anything, and white space next to a tag does not count. */

/** Returns true if a text is as a guide shows it. */
export function fits(shown: string, actual: string): boolean {
  const parts = tidy(shown).split("…").map(asPattern)
  return new RegExp(`^${parts.join("[\\s\\S]*")}$`).test(tidy(actual))
}

/** Returns true if a value of JSON is as a guide shows it. The text "…" stands for any value. */
export function fitsJSON(shown: unknown, actual: unknown): boolean {
  if (shown === "…") return true
  if (typeof shown === "string") return typeof actual === "string" && fits(shown, actual)
  if (typeof shown !== "object" || shown === null) return shown === actual
  if (typeof actual !== "object" || actual === null || Array.isArray(shown) !== Array.isArray(actual)) return false
  const [wanted, found] = [shown, actual] as Record<string, unknown>[]
  const names = Object.keys(wanted as object)
  return (
    names.length === Object.keys(found as object).length &&
    names.every((name) => Object.hasOwn(found as object, name) && fitsJSON(wanted?.[name], found?.[name]))
  )
}

function tidy(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ ?… ?/g, "…")
    .replace(/ ?(<[^>]*>) ?/g, "$1")
    .trim()
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
}
