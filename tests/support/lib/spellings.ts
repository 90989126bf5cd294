/** Ways to spell one path, with which a client might try to bypass a proxy's guard. */

const hex = (character: string, upper: boolean) => {
  const code = character.charCodeAt(0).toString(16).padStart(2, "0")
  return `%${upper ? code.toUpperCase() : code}`
}

/**
 * Returns every spelling that a client might try for a plain ASCII path. Some name the path, and the others must
 * reach nothing.
 */
export function spellings(path: string): string[] {
  const found = new Set<string>([path])
  for (let i = 1; i < path.length; i++) {
    const at = (text: string) => path.slice(0, i) + text + path.slice(i + 1)
    const character = path[i] as string
    found.add(at(hex(character, false)))
    found.add(at(hex(character, true)))
    // The character is encoded twice, which deceives code that decodes twice.
    found.add(at(`%25${hex(character, true).slice(1)}`))
    if (/[a-z]/.test(character)) found.add(at(character.toUpperCase()))
  }
  found.add(path.replace(/[^/]/g, (character) => hex(character, true)))
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index as number)
  for (const i of slashes) {
    const at = (text: string) => path.slice(0, i) + text + path.slice(i + 1)
    for (const text of [
      "//",
      "/./",
      "/%2e/",
      "/x/../",
      "/x/%2E%2e/",
      "/x/.%2e/",
      "/%2e%2e/",
      "/../",
      "/;/",
      "/;a=b/",
      "/%20/",
      "/%09/",
      "/.;/",
      "/..;/",
      "/%3b/",
    ])
      found.add(at(text))
    if (i > 0) for (const text of ["%2F", "%2f", "\\", "%5C", "%252F", "/%2F", "%2F/"]) found.add(at(text))
  }
  for (const end of [
    "/",
    "//",
    "/.",
    "/..",
    "/%2e",
    "/x/..",
    "%2F",
    "?",
    "?x=1",
    "#",
    ";",
    ";a=b",
    "%00",
    "%20",
    "%0a",
    "%0d%0a",
    ".",
    "%2e",
    "%",
    "%zz",
    "%ff",
    "\\",
    "%5c",
    "*",
    "~",
  ])
    found.add(path + end)
  for (const origin of [
    "http://x",
    "HTTP://other.example",
    "http://x:80",
    "http://user@x",
    "http://x/",
    "//x",
    "/",
    "ftp://x",
  ])
    found.add(origin + path)
  return [...found]
}
