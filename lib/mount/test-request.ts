/** The requests of tests. They get pages in order, with every deferred block at its place. */
export const inOrderRequests = new WeakSet<Request>()

/** Returns a Request for a test, which gets pages in order. */
export function createTestRequest(url: URL | string, init: RequestInit | undefined): Request {
  const request = new Request(url, init)
  inOrderRequests.add(request)
  return request
}
