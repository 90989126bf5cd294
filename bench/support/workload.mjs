/** The work that every contender of `bench/http.mjs` does: 200 routes, a JSON answer with a parameter, a JSON echo. */

/** The number of routes that each contender registers: half with a parameter, half without. */
export const routeCount = 200

/** Patterns without their method: all GET. `{id}` is a parameter. */
export const patterns = Array.from({ length: routeCount - 1 }, (_, i) =>
  i % 2 === 0 ? `/api/resource${i}/{id}` : `/pages/page${i}`,
)

/** The path of the echo, the one POST route. */
export const echoPath = "/api/echo"

/** The response of a route. */
export function answer(id) {
  return { id, name: "an item", tags: ["a", "b"], price: 12.5, available: true }
}

/** Requests to send in turn, as raw HTTP. */
export function requests(kind) {
  if (kind === "echo") {
    const items = Array.from({ length: 12 }, (_, i) => ({
      id: i,
      name: `item number ${i}`,
      tags: ["x", "y"],
      price: i * 1.5,
    }))
    const body = JSON.stringify({ items, note: "n".repeat(320) }).padEnd(1024, " ")
    return [
      `POST ${echoPath} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ]
  }
  return patterns
    .filter((pattern) => pattern.includes("{"))
    .map((pattern, i) => `GET ${pattern.replace("{id}", `item-${i}`)}?page=1 HTTP/1.1\r\n${head}\r\n`)
}

/** The headers of a usual client. */
const head =
  "Host: 127.0.0.1:3000\r\nAccept: application/json\r\nUser-Agent: bench/1.0\r\nAccept-Encoding: gzip, deflate, br\r\n"
