/** Requests that get their pages with every deferred block in its place: those of tests. */
export const inOrder = new WeakSet<Request>()

declare const FW_DEFER: boolean

/** Returns a Request of a test. */
export function testRequest(url: URL | string, init: RequestInit | undefined): Request {
  const request = new Request(url, init)
  if (typeof FW_DEFER === "undefined" || FW_DEFER) inOrder.add(request)
  return request
}
