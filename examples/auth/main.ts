/**
 * The application: middleware for every request. The routes are in `app/`; `fw` finds and mounts them, and
 * listens.
 */
import { App, csrf, requestID, secureHeaders } from "fw"
import { setJobEngine, sqliteJobs } from "fw/jobs"
import { db } from "./db/index.ts"
import { sessions } from "./lib/auth/sessions.ts"
import { trustedProxies } from "./lib/env.ts"

// The largest requests are forms. The limits count per client address, so list your reverse proxies.
const app = new App({ bodyLimit: 64 * 1024, trustedProxies })

app.use(requestID())
// Scripts and styles come only from this application, and other sites cannot show its pages in a frame.
app.use(
  secureHeaders({
    contentSecurityPolicy:
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    referrerPolicy: "same-origin",
  }),
)
// Pages of other sites cannot use a visitor's cookies to change data here.
app.use(csrf())
app.use(sessions)

// Jobs, such as those that send mails, wait in the database.
setJobEngine(sqliteJobs({ database: db }))

export default app
