/** The name and description of the site. Import it from anywhere as `#lib/site.ts`. */
export const site = {
  name: "My app",
  description: "A web application made with fw.",
}

/** True under `fw dev`. On runtimes without Node's `process` it is false. */
export const isDevelopment = globalThis.process?.env.NODE_ENV === "development"
