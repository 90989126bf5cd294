/**
 * The application, with middleware that runs for every request. The routes are files in `app/`, which fw finds. fw also
 * listens for requests.
 */
import { App, csrf, requestID, secureHeaders } from "fw"

const app = new App()

app.use(requestID())
// Browsers load scripts and styles only from this application, and other sites cannot show its pages in a frame.
app.use(secureHeaders())
// Pages of other sites cannot change data here with the cookies of a visitor.
app.use(csrf())

export default app
