/** Devices and times in words for people. Used by the pages. */

/** A browser and its system, from a User-Agent. It is a guess: anybody may send anything. */
export function deviceOf(userAgent: string): string {
  const browser = /\b(Edg|OPR|Firefox|Chrome|Safari)\//.exec(
    userAgent.replace(/HeadlessChrome/, "Chrome"),
  )?.[1]
  const system = /\b(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)\b/.exec(userAgent)?.[1]
  if (!browser) return userAgent.split(/[\s/]/, 1)[0] || "Unknown program"
  const names: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" }
  const named = names[/\bEdg\//.test(userAgent) ? "Edg" : /\bOPR\//.test(userAgent) ? "OPR" : ""] ?? browser
  return system ? `${named} on ${names[system] ?? system}` : named
}

/** A time as people write it, in UTC: the server does not know where they are. */
export function whenOf(time: Date): string {
  return `${time.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })} UTC`
}
