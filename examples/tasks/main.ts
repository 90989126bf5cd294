/** The application: what applies to every request. The routes are in `app/`; `fw` finds them, mounts them and listens. */
import { App, cors, csrf, requestID, secureHeaders } from "fw"
import { origins } from "./lib/env.ts"

// A task is a few lines of text. Attachments are larger: their directory raises the limit for itself.
const app = new App({ bodyLimit: 64 * 1024 })

app.use(requestID())
// No inline script or style, and no other host. htmx needs no more, and neither does what `fw dev` adds to pages.
app.use(
  secureHeaders({
    contentSecurityPolicy:
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    referrerPolicy: "same-origin",
  }),
)
// Here rather than in app/api/, so that a 404 and the proxy's maintenance notice reach other origins too.
app.use(cors({ origins }))
// A page of any other site cannot change anything here.
app.use(csrf({ origins }))
// Made by fw of the routes and their types, and served at /openapi.json.
app.openapi({ title: "Tasks" })

export default app
