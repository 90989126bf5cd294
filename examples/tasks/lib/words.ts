/** Texts for days, sizes and counts. */

const dayMs = 24 * 60 * 60 * 1000

/** Returns the day of a time, such as `2026-03-31`. */
export function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Returns a short date such as `31 Mar`, with the year if it is not the current one. */
export function formatShortDay(date: string, now: Date): string {
  const year = date.startsWith(String(now.getUTCFullYear())) ? {} : ({ year: "numeric" } as const)
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
    ...year,
  })
  return format.format(new Date(date))
}

export interface Due {
  readonly text: string
  readonly tone: "late" | "soon" | "calm"
}

export function describeDue(date: string, now: Date): Due {
  const days = Math.round((Date.parse(date) - Date.parse(formatDay(now))) / dayMs)
  if (days < 0) return { text: `Overdue since ${formatShortDay(date, now)}`, tone: "late" }
  if (days === 0) return { text: "Due today", tone: "soon" }
  if (days === 1) return { text: "Due tomorrow", tone: "soon" }
  return { text: `Due ${formatShortDay(date, now)}`, tone: "calm" }
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return formatCount(bytes, "byte")
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

export function formatCount(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`
}
