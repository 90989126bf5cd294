/** The environment of a process of TypeScript that soon ends. */

/**
 * Settings of Go's runtime for a process that soon ends: collect garbage seldom, up to a gigabyte. The user's
 * own settings take precedence.
 */
const seldom = { GOGC: "400", GOMEMLIMIT: "1GiB" } as const

/**
 * Starts TypeScript's process, with those settings unless it is kept. It takes its environment from this one, and cannot be
 * given another one.
 */
export function quickly<T>({ kept }: { readonly kept: boolean }, start: () => T): T {
  const { env } = process
  const unset = Object.entries(seldom).filter(([name]) => env[name] === undefined)
  if (kept || unset.length < Object.keys(seldom).length) return start()
  try {
    for (const [name, value] of unset) env[name] = value
    return start()
  } finally {
    for (const [name] of unset) delete env[name]
  }
}
