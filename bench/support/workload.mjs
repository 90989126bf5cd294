/**
 * The work that every contender of `bench/http.mjs` does: 200 routes, among them a text, a JSON answer, a route with a
 * parameter, and one that echoes JSON.
 */

/** The default number of routes that each contender registers. */
const routeCount = 200

/** The paths that are requested. */
export const textPath = "/text"
export const jsonPath = "/json"
export const echoPath = "/api/echo"
export const programPath = "/program"

/**
 * The sessions for the row `program`. In it, a server looks up the session of a cookie, answers CORS and logs a line
 * for each request.
 */
export const sessions = new Map(Array.from({ length: 1000 }, (_, i) => [`session-${i}`, { user: `user ${i}` }]))
export const origin = "https://app.example.com"
/** Takes the lines of the log, and discards them. */
export const writeLine = (line) => line.length

/** Returns patterns for GET routes that answer with JSON. Every other one has a parameter, `{id}`. */
export function createPatterns(routes) {
  return Array.from({ length: routes - 3 }, (_, i) => (i % 2 === 0 ? `/api/resource${i}/{id}` : `/pages/page${i}`))
}

export const patterns = createPatterns(routeCount)

/** The response of a route that answers with JSON. */
export function createAnswer(id) {
  return { id, name: "an item", tags: ["a", "b"], price: 12.5, available: true }
}

export const text = "Hello, World!"

const items = Array.from({ length: 12 }, (_, i) => ({
  id: i,
  name: `item number ${i}`,
  tags: ["x", "y"],
  price: i * 1.5,
}))
const bodies = {
  post80: JSON.stringify({ name: "Ada Lovelace", mail: "ada@example.com", age: 36 }).padEnd(80, " "),
  post1k: JSON.stringify({ items, note: "n".repeat(320) }).padEnd(1024, " "),
}

/** Returns targets for the patterns with a parameter: paths with a query. */
function createTargets(patterns) {
  return patterns
    .filter((pattern) => pattern.includes("{"))
    .map((pattern, i) => `${pattern.replace("{id}", `item-${i}`)}?page=1`)
}

/** The least number of routes that includes all routes for {@link sharedRows}. */
export const fewestRoutes = 10

/** The requests of each row of the table: a method, targets to request in turn, and a body. */
export const rows = {
  text: { title: "GET, text", method: "GET", targets: [textPath] },
  json: { title: "GET, JSON", method: "GET", targets: [jsonPath] },
  param: {
    title: "GET, JSON with a parameter and a query",
    method: "GET",
    targets: createTargets(patterns),
  },
  first: {
    title: "GET, JSON with a parameter, of the first ten routes",
    method: "GET",
    targets: createTargets(createPatterns(fewestRoutes)),
  },
  program: {
    title: "GET, JSON with the session of a cookie, CORS and a log line",
    method: "GET",
    targets: [programPath],
    headers: { Cookie: "theme=dark; session=session-7", Origin: origin },
  },
  post80: { title: "POST, JSON echo of 80 bytes", method: "POST", targets: [echoPath], body: bodies.post80 },
  post1k: { title: "POST, JSON echo of 1 KB", method: "POST", targets: [echoPath], body: bodies.post1k },
}

/** Rows in which fw is compared with other frameworks. */
export const usualRows = ["text", "json", "param", "post80", "post1k"]

/** Rows in which programs with different numbers of routes are compared. */
export const sharedRows = ["text", "json", "first", "post80"]

export const headers = {
  Host: "127.0.0.1:3000",
  Accept: "application/json",
  "User-Agent": "bench/1.0",
  "Accept-Encoding": "gzip, deflate, br",
}

/** Returns the requests of a row as raw HTTP, to send in turn. */
export function createRequests(row) {
  const { method, targets, body, headers: more } = rows[row]
  const lines = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) lines.push("Content-Type: application/json", `Content-Length: ${body.length}`)
  return targets.map((target) => `${method} ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`)
}
