/** The application as fw serves it. In tests, `app.request()` calls it without a socket. */
import routes from "../../.fw/routes.ts"
import app from "../../main.ts"

app.disableLogger()
await app.mount(routes)

export { app }
