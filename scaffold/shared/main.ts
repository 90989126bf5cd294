/** The application: what applies to every request. The routes are in `app/`; fw finds them, mounts them and listens. */
import { App, requestID } from "fw"

const app = new App()

app.use(requestID())

export default app
