/** The application: what applies to every request. The routes are in `app/`; `fw` finds them, mounts them and listens. */
import { App, cors, requestID } from "fw"
import { origins } from "./lib/env.ts"
import { policy } from "./lib/policy.ts"

// A task is a few lines of text. Attachments are larger: their directory raises the limit for itself.
const app = new App({ bodyLimit: 64 * 1024 })

app.use(requestID())
app.use(policy())
// Here rather than in app/api/, so that a 404 and the proxy's maintenance notice reach other origins too.
app.use(cors({ origins }))
// Made by fw of the routes and their types, and served at /openapi.json.
app.openapi({ title: "Tasks" })

export default app
