/** Chooses names for a client's module that are unique, valid in TypeScript, and not used by the module itself. */

/** Names that the module uses. A type of the API with such a name gets a longer one. */
const reservedNames = [
  ..."Array Blob BodyValue Boolean Date Error FormData Headers JSON Number Object Promise ReadableStream".split(" "),
  ..."NonNullable Readonly Record Request RequestInit Response String TextDecoder TypeError URLSearchParams".split(" "),
  ..."Uint8Array AbortSignal AsyncGenerator AsyncIterable CallOptions Call Client ClientOptions DatesIn".split(" "),
  ..."Failed Given HeaderValues Input Ok Operation OtherStatus ServerEvent UnexpectedAnswer Value Body Data".split(" "),
  ..."Status any bigint boolean never null number object string symbol undefined unknown void".split(" "),
]

/** Names that every object has, or that have a special meaning: an object with `then` is treated as a promise. */
const objectMembers = [...Object.getOwnPropertyNames(Object.prototype), "then", "toJSON"]

/** Assigns each name once. */
export class UniqueNames {
  readonly #usedNames = new Set<string>(reservedNames)

  /** Returns an unused name that is similar to the wanted one. A type named `Error` becomes `ErrorBody`. */
  take(preferred: string): string {
    let name = reservedNames.includes(preferred)
      ? `${preferred}Body`
      : objectMembers.includes(preferred)
        ? `${preferred}Operation`
        : preferred
    for (let n = 2; this.#usedNames.has(name); n++) name = `${preferred}${n}`
    this.#usedNames.add(name)
    return name
  }
}

/** Converts a text to the name of a type: `AdminUser` for `admin-user`. */
export function toTypeName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_$]+(.)?/g, (_, next: string = "") => next.toUpperCase())
  const capital = name.charAt(0).toUpperCase() + name.slice(1)
  return /^[A-Za-z_$]/.test(capital) ? capital : `Type${capital}`
}

/** Converts a text to the name of a function: `listTasks` for `list-tasks`. */
export function toFunctionName(text: string): string {
  const name = toTypeName(text)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Returns a key of an object in TypeScript's notation. */
export function renderKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)
}
