/** Requests that get their pages with every deferred block in its place: those of tests. */
export const inOrderRequests = new WeakSet<Request>()

/** Returns a Request of a test. */
export function createTestRequest(url: URL | string, init: RequestInit | undefined): Request {
  const request = new Request(url, init)
  inOrderRequests.add(request)
  return request
}
