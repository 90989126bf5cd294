/** The name and description of the site. Import it from anywhere as `#lib/site.ts`. */
export const site = {
  name: "My app",
  description: "A web application made with fw.",
}
