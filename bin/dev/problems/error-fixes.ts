/**
 * Finds fixes for JavaScript errors whose message does not say what to write: names that are not defined,
 * environment variables that are not set, members that other frameworks have, and printed objects.
 */
import { findMissingImport } from "../../inspect/missing-import.ts"

/** The members of other frameworks' contexts, requests and responses, and what fw has instead. */
const replacements: Readonly<Record<string, string>> = {
  send: "c.string(200, text), c.html(200, html) or c.json(200, data)",
  status: "the status as the first argument, as in c.json(201, data)",
  render: "c.page(200, title, View(data)), or a page.tpl",
  sendStatus: "c.noContent(), or c.string(404, text)",
  set: "c.setHeader(name, value) for a header, or the set(c, value) of a contextKey()",
  req: 'c.query("name"), c.param("id"), c.header("name"), and await c.bind<Type>() for JSON',
  request: 'c.query("name"), c.param("id"), c.header("name"), and await c.bind<Type>() for JSON',
  res: "a response that the handler returns: c.json(200, data)",
  params: 'c.param("id")',
  cookies: 'c.cookie("name") and c.setCookie({ name, value })',
  headers: 'c.header("name")',
  body: "await c.bind<Type>() for JSON, and await c.readForm<Type>() for a form",
  session: "a middleware that adds it: fw generate auth writes one",
}

/** Matches `process.env.NAME` and `process.env["NAME"]`. */
const envVariable = /\bprocess\.env(?:\.|\[["'])(\w+)(?:["']\])?/g

/** Returns the environment variable that is assigned to a name in a file; undefined if there is none. */
function findVariable(source: string, name: string): string | undefined {
  const isDestructured = new RegExp(`\\{[^{}]*\\b${name}\\b[^{}:]*\\}\\s*=\\s*process\\.env\\b(?![.[])`).test(source)
  if (isDestructured) return name
  const expression = new RegExp(`\\b${name}(?:\\s*:[^=\\n]+)?\\s*=\\s*(process\\.env\\b[^\\n]*)`).exec(source)?.[1]
  return expression && [...expression.matchAll(envVariable)][0]?.[1]
}

/** Returns the fix for an environment variable that is not set; undefined if the line does not use one. */
function findVariableFix(message: string, line: string, source: string): string | undefined {
  const [, member] = /^TypeError: Cannot read properties of undefined \(reading '(\w+)'\)/.exec(message) ?? []
  if (member === undefined && !/^TypeError: (?:Invalid URL|.*Received undefined)/.test(message)) return undefined
  if (member !== undefined && line.includes(`import.meta.env.${member}`))
    return `Only Vite has import.meta.env. Write process.env.${member}.`
  const adviseToSet = (name: string) => `Write ${name}=… in .env, which fw dev reads again when it is saved.`
  if (member === undefined) {
    const [match] = [...line.matchAll(envVariable)]
    const words = line.match(/[A-Za-z_]\w*/g) ?? []
    const name = match?.[1] ?? words.map((word) => findVariable(source, word)).find((found) => found)
    return name && `Is ${name} set? ${adviseToSet(name)}`
  }
  const before = line.match(new RegExp(`[^;,=]*?(?=(?:!|\\)| as \\w+)*\\.${member}\\b)`))?.[0] ?? ""
  const [, directName] = [...before.matchAll(envVariable)].at(-1) ?? []
  const word = /([A-Za-z_]\w*)$/.exec(before)?.[1]
  const name = directName ?? (word && findVariable(source, word))
  return name && `${name} is not set. ${adviseToSet(name)}`
}

/**
 * Returns the fix for an error; undefined if no fix is known.
 *
 * @param line the source line of the error.
 * @param source the text of the file with this line.
 */
export function findErrorFix(message: string, line: string, source = ""): string | undefined {
  const variableFix = findVariableFix(message, line, source)
  if (variableFix) return variableFix
  if (/^TypeError: An object \(Date\) cannot be printed/.test(message))
    return "Print its text: {date.toISOString()}, or {date.toLocaleDateString()}."
  if (/^RangeError: Maximum call stack size exceeded/.test(message))
    return "The function or template calls itself without end. Give it a condition under which it stops."
  const listName =
    /^TypeError: ([\w$.]+) is not iterable/.exec(message)?.[1] ??
    /^TypeError: ([\w$.]+)\.(?:map|filter|find|forEach|some|every|reduce|slice|sort|at|join) is not a function/.exec(
      message,
    )?.[1]
  if (listName) return `${listName} is not a list. If it is a promise, write await before the call that returns it.`
  if (/^TypeError: An object \(\w+\) cannot be printed/.test(message))
    return "Print a property of it, such as {user.name}. A list is printed with {for (const one of list) { … }}."
  const calledMember = /^TypeError: (?:.*\.)?(\w+) is not a function$/.exec(message)?.[1]
  const isRead = /^TypeError: Cannot read properties of undefined /.test(message)
  const readMember = isRead ? /\b(?:c|ctx|context)(?: as \w+\))?\??\.(\w+)\??\./.exec(line)?.[1] : undefined
  const name =
    calledMember && new RegExp(`\\b(?:c|ctx|context)(?: as \\w+\\))?\\??\\.${calledMember}\\b`).test(line)
      ? calledMember
      : readMember
  return name !== undefined && Object.hasOwn(replacements, name)
    ? `The context of fw has no ${name}. It has ${replacements[name]}.`
    : undefined
}

/**
 * Returns the fix for an error at a position in the project; undefined if no fix is known.
 *
 * @param source the text of the file when the program was built.
 */
export function findFixAt(
  root: string,
  { file, line }: { readonly file?: string; readonly line?: number },
  message: string,
  source: string,
): string | undefined {
  const name = /^ReferenceError: ([\w$]+) is not defined\b/.exec(message)?.[1]
  const missing = name !== undefined && file !== undefined && findMissingImport({ root, file }, name)
  return missing || findErrorFix(message, source.split("\n")[(line ?? 0) - 1] ?? "", source)
}
