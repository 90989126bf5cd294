/** The application: what applies to every request. The routes are in `app/`; `fw` finds them, mounts them and listens. */
import { App, csrf, requestID, secureHeaders } from "fw"
import { trustedProxies } from "./lib/env.ts"

// Nothing larger than a form is sent here. The client's address counts for the limits: behind a proxy, name it.
const app = new App({ bodyLimit: 64 * 1024, trustedProxies })

app.use(requestID())
// Scripts and styles are files of this application, and no other site shows its pages in a frame.
app.use(
  secureHeaders({
    contentSecurityPolicy:
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    referrerPolicy: "same-origin",
  }),
)
// A page of another site cannot use a visitor's cookies to change something here.
app.use(csrf())

export default app
