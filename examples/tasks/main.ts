/**
 * The application: middleware for every request. The routes are in `app/`; `fw` finds and mounts them, and
 * listens.
 */
import { App, cors, csrf, requestID, secureHeaders } from "fw"
import { mcp } from "fw/mcp"
import { hosts, origins } from "./lib/env.ts"

// A task is a few lines of text. Attachments are larger, so their directory has a higher limit.
const app = new App({ bodyLimit: 64 * 1024 })

app.use(requestID())
// Inline scripts, inline styles and other hosts are forbidden. htmx and the additions of `fw dev` need nothing
// more.
app.use(
  secureHeaders({
    contentSecurityPolicy:
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    referrerPolicy: "same-origin",
  }),
)
// CORS is here and not in app/api/, so that other origins can also read a 404 and the proxy's maintenance notice.
app.use(cors({ origins }))
// Pages of other sites, except of these origins, cannot change anything here.
app.use(csrf({ origins }))
// Serves the document that fw generates from the routes and their types, at /openapi.json.
app.openapi({ title: "Tasks" })
// Offers the routes whose files export `mcp` as tools for language models, at /mcp.
mcp(app, {
  hosts,
  origins,
  headers: ["x-api-key"],
  instructions: "These tools keep a list of tasks. Dates are YYYY-MM-DD.",
})

export default app
