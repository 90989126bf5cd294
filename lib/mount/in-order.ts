/** Requests that get their pages with every deferred block in its place: those of tests. */
export const inOrder = new WeakSet<Request>()

/** Returns a Request of a test. */
export function testRequest(url: URL | string, init: RequestInit | undefined): Request {
  const request = new Request(url, init)
  inOrder.add(request)
  return request
}
