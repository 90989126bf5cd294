/**
 * The application: middleware for every request. The routes are in `app/`; fw finds and mounts them, and
 * listens.
 */
import { App, csrf, requestID, secureHeaders } from "fw"

const app = new App()

app.use(requestID())
// Browsers load scripts and styles only from this application, and other sites cannot show its pages in a
// frame.
app.use(secureHeaders())
// Pages of other sites cannot use a visitor's cookies to change data here.
app.use(csrf())

export default app
