/** Requests that get their pages with every deferred block in its place: those of tests. */
export const inOrder = new WeakSet<Request>()
