/** Writes the data of the CSS service short: a line for each name, without lists of browsers and without old prefixes. */

/** Prefixes of browsers that do not need them any more. */
const oldPrefix = /^:*-(?:moz|ms|o)-/
const anyPrefix = /^:*-(?:moz|ms|o|webkit)-/

/** The fields of a line, in this order. */
const fields = ["name", "description", "relevance", "restrictions", "status", "values", "type"]

/** Reads the lines again. The names of `fields` are those of the data of the service. */
const reader = `const read = (text) => text.split("\\n").map((line) => {
  const [name, description, relevance, restrictions, status, values, type] = line.split("\\t")
  return {
    name,
    description,
    ...(relevance && { relevance: Number(relevance) }),
    ...(restrictions && { restrictions: restrictions.split(" ") }),
    ...(status && { status }),
    ...(values && { values: values.split(",").map((name) => ({ name })) }),
    ...(type && { type }),
  }
})
`

/** Names that the data does not have yet. @type {Readonly<Record<string, readonly Entry[]>>} */
const added = { atDirectives: [{ name: "@function", description: "Defines a custom function." }] }

/**
 * @typedef {{
 *   readonly name: string,
 *   readonly description?: string | { readonly value: string },
 *   readonly relevance?: number,
 *   readonly restrictions?: readonly string[],
 *   readonly status?: string,
 *   readonly values?: readonly { readonly name: string }[],
 *   readonly type?: string,
 *   readonly descriptors?: readonly Entry[],
 * }} Entry
 */

/**
 * Returns the module of the data.
 *
 * @param {string} module the module of the service
 * @param {(description: string) => string} shortText
 */
export function packedData(module, shortText) {
  const [, text = ""] = /export const cssData = ([\s\S]*?);?\s*$/.exec(module) ?? []
  const data = JSON.parse(text)
  /** @param {readonly Entry[]} entries */
  const packed = (entries) => {
    const used = entries.filter(({ name, status }) => !oldPrefix.test(name) && status !== "obsolete")
    return `read(${JSON.stringify(used.map((entry) => lineOf(entry, shortText)).join("\n"))})`
  }
  const media = data.atDirectives.find((/** @type {Entry} */ { name }) => name === "@media")
  const lists = ["properties", "atDirectives", "pseudoClasses", "pseudoElements"].map(
    (name) => `${name}: ${packed([...data[name], ...(added[name] ?? [])])}`,
  )
  return `${reader}export const cssData = { version: 1.1, ${lists.join(", ")} }
cssData.atDirectives.find(({ name }) => name === "@media").descriptors = ${packed(media.descriptors)}`
}

/** @param {Entry} entry @param {(description: string) => string} shortText */
function lineOf(entry, shortText) {
  const { name, description = "", relevance, restrictions = [], status, values = [], type } = entry
  const isShort = anyPrefix.test(name) || status !== undefined
  const given = typeof description === "string" ? description : description.value
  const names = values.map((value) => value.name).filter((value) => !anyPrefix.test(value))
  /** @type {Readonly<Record<string, string | number | undefined>>} */
  const line = {
    name,
    description: isShort ? "" : shortText(given),
    relevance,
    restrictions: restrictions.join(" "),
    status,
    values: isShort ? "" : names.join(","),
    type,
  }
  return fields
    .map((field) => line[field] ?? "")
    .join("\t")
    .replace(/\t+$/, "")
}
