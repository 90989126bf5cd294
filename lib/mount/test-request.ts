/** The requests of tests, which get pages with every deferred block in its place. */
export const inOrderRequests = new WeakSet<Request>()

/** Returns a Request of a test. */
export function createTestRequest(url: URL | string, init: RequestInit | undefined): Request {
  const request = new Request(url, init)
  inOrderRequests.add(request)
  return request
}
