/** The application: what applies to every request. The routes are in `app/`; `fw` finds them, mounts them and listens. */
import { App, requestID } from "fw"
import { trustedProxies } from "./lib/env.ts"
import { policy } from "./lib/policy.ts"

// Nothing larger than a form is sent here. The client's address counts for the limits: behind a proxy, name it.
const app = new App({ bodyLimit: 64 * 1024, trustedProxies })

app.use(requestID())
app.use(policy())

export default app
