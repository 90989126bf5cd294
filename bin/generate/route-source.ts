/** Generates the text of a route file. */
import { handlerExports } from "../../lib/tree.ts"

const exportNames = Object.fromEntries(Object.entries(handlerExports).map(([name, method]) => [method, name]))

/**
 * Returns a route file with a handler for each method, in order.
 *
 * @param params the names of the path parameters.
 */
export function renderRoute(methods: readonly string[], params: readonly string[]): string {
  const type = params.length > 0 ? `Context<${params.map((name) => JSON.stringify(name)).join(" | ")}>` : "Context"
  const handlers = methods.map((method) => renderHandler(method, type, params, methods))
  return `import type { Context } from "fw"\n${handlers.join("")}`
}

function renderHandler(method: string, type: string, params: readonly string[], methods: readonly string[]): string {
  const fields = params.map(
    (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)}: c.param(${JSON.stringify(name)})`,
  )
  const body: Readonly<Record<string, string>> = {
    GET: `  return c.json(200, { ${fields.join(", ") || "items: []"} })\n`,
    POST: renderBoundBody(201, fields),
    PUT: renderBoundBody(200, fields),
    PATCH: renderBoundBody(200, fields),
    DELETE: "  return c.noContent()\n",
    HEAD: "  return c.noContent()\n",
    OPTIONS: `  c.setHeader("Allow", ${JSON.stringify(formatAllow(methods))})\n  return c.noContent()\n`,
  }
  const readsBody = method === "POST" || method === "PUT" || method === "PATCH"
  return `\nexport ${readsBody ? "async " : ""}function ${exportNames[method]}(c: ${type}) {\n${body[method]}}\n`
}

function renderBoundBody(status: number, fields: readonly string[]): string {
  const answer = fields.length > 0 ? `{ ...body, ${fields.join(", ")} }` : "body"
  return `  const body = await c.bind<{ name: string }>()\n  return c.json(${status}, ${answer})\n`
}

/** Returns the value of `Allow` for a path with these methods. A handler for GET answers HEAD too. */
function formatAllow(methods: readonly string[]): string {
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])])].sort().join(", ")
}
