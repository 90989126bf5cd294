/** Fixes for errors of the language whose message does not say what to write: calls of other frameworks, and printed objects. */

/** The parts of fw in place of members of other contexts, requests and responses. */
const members: Readonly<Record<string, string>> = {
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

/**
 * Returns the fix for an error; undefined for one that it does not know.
 *
 * @param line the source line of the error.
 */
export function errorAdvice(message: string, line: string): string | undefined {
  if (/^TypeError: An object \(\w+\) cannot be printed/.test(message))
    return "Print a property of it, such as {user.name}. A list is printed with {for (const one of list) { … }}."
  const called = /^TypeError: (?:.*\.)?(\w+) is not a function$/.exec(message)?.[1]
  const isRead = /^TypeError: Cannot read properties of undefined /.test(message)
  const read = isRead ? /\b(?:c|ctx|context)(?: as \w+\))?\??\.(\w+)\??\./.exec(line)?.[1] : undefined
  const name =
    called && new RegExp(`\\b(?:c|ctx|context)(?: as \\w+\\))?\\??\\.${called}\\b`).test(line) ? called : read
  return name !== undefined && Object.hasOwn(members, name)
    ? `The context of fw has no ${name}. It has ${members[name]}.`
    : undefined
}
