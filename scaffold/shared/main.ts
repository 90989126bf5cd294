/** The application: what applies to every request. The routes are in `app/`; fw finds them, mounts them and listens. */
import { App, csrf, requestID, secureHeaders } from "fw"

const app = new App()

app.use(requestID())
// Browsers load scripts and styles from this application only, and show its pages in no frame of another site.
app.use(secureHeaders())
// A page of another site cannot use a visitor's cookies to change something here.
app.use(csrf())

export default app
