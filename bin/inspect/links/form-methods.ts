/** Finds forms that probably lack `method="post"`: they send GET, but their path has a route for POST. */
import type { KnownRoute } from "./answers.ts"
import type { Link } from "./link.ts"
import type { LinkTarget } from "./link-target.ts"

/** Returns the problem of a form without a method, if its path has a route for POST that no other form uses. */
export function findUnsentPost(
  { impliedGET, target }: Link,
  links: readonly Link[],
  routes: readonly KnownRoute[],
): { readonly message: string; readonly fix: string } | null {
  if (!impliedGET) return null
  const post = routes.find((route) => route.method === "POST" && leadsExactlyTo(target, route))
  // If nothing answers GET, that is already reported.
  const answersGet = routes.some((route) => route.method === "GET" && leadsExactlyTo(target, route))
  if (!post || !answersGet) return null
  const isSent = links.some(
    ({ method, target }) => (method === "POST" || method === null) && leadsExactlyTo(target, post),
  )
  if (isSent) return null
  return {
    message: `this form sends GET, so its fields go into the query, and Post of ${post.file} is not called`,
    fix: 'Write <form method="post">. If the form is a search, write method="get".',
  }
}

/**
 * Returns true if a link leads exactly to a pattern: its literal segments are static in the pattern, its
 * expressions are parameters.
 */
function leadsExactlyTo({ segments }: LinkTarget, route: KnownRoute): boolean {
  if (segments.length !== route.segments.length) return false
  return route.segments.every((segment, at) => {
    const pieces = segments[at] ?? []
    if (segment.kind === "static") return pieces.length === 1 && pieces[0] === segment.value
    return segment.kind === "param" && pieces.includes(null)
  })
}
