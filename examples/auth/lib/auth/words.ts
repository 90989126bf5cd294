/** Texts for devices and times, for the pages. */

/** Returns the browser and its system from a User-Agent. This is a guess, because clients can send any text. */
export function deviceOf(userAgent: string): string {
  const browser = /\b(Edg|OPR|Firefox|Chrome|Safari)\//.exec(
    userAgent.replace(/HeadlessChrome/, "Chrome"),
  )?.[1]
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)\b/.exec(userAgent)?.[1]
  if (!browser) return userAgent.split(/[\s/]/, 1)[0] || "Unknown device"
  const names: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" }
  const named = names[/\bEdg\//.test(userAgent) ? "Edg" : /\bOPR\//.test(userAgent) ? "OPR" : ""] ?? browser
  return system ? `${named} on ${names[system] ?? system}` : named
}

/** Returns a time as text, in UTC, because the server does not know the user's time zone. */
export function whenOf(time: Date): string {
  return `${time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`
}
