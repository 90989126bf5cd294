/** What the site is called, in one place. Imported as `#lib/site.ts` from anywhere. */
export const site = {
  name: "My app",
  description: "A web application made with fw.",
}
