/** Words for devices and times, for the pages. */
import type { Context } from "fw"
import { languageOf, textsOf } from "./texts.ts"

/** Returns the browser and its system from a User-Agent. This is a guess, because clients can send any text. */
export function describeDevice(c: Context, userAgent: string): string {
  const browser = /\b(Edg|OPR|Firefox|Chrome|Safari)\//.exec(
    userAgent.replace(/HeadlessChrome/, "Chrome"),
  )?.[1]
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)\b/.exec(userAgent)?.[1]
  if (!browser) return userAgent.split(/[\s/]/, 1)[0] || textsOf(c).unknownDevice
  const names: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" }
  const name = names[/\bEdg\//.test(userAgent) ? "Edg" : /\bOPR\//.test(userAgent) ? "OPR" : ""] ?? browser
  return system ? `${name} on ${names[system] ?? system}` : name
}

/** Milliseconds since 1970, as a database returns them: PostgreSQL as text. */
export type Timestamp = number | string

/** Returns a time as text, in UTC, because the server does not know the user's time zone. */
export function formatTime(c: Context, time: Timestamp): string {
  return `${new Date(Number(time)).toLocaleString(languageOf(c), { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`
}
