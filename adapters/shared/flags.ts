/** The compile-time flags at run time, in a program that no bundler has set them in. */

/** The flags that requests ask for. */
const asked = [
  "BODY",
  "COOKIES",
  "DEFER",
  "FORMS",
  "FORWARDING",
  "ON_ERROR",
  "PROXY",
  "SIGNED_COOKIES",
  "SOCKETS",
]

/**
 * Defines flags as undefined, for which `typeof` gives what it gives for a missing variable. A missing one is looked up
 * again each time: on Bun in 0.15 µs, and a request asks for about 15.
 */
export function defineFlags(): void {
  for (const flag of asked) {
    const name = `FW_${flag}`
    // Not enumerable, so that a program that lists its globals does not find them.
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: undefined })
  }
}
