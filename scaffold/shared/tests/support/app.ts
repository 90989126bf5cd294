/** The application as fw serves it. Tests call `app.request()`, which needs no socket. */
import routes from "../../.fw/routes.ts"
import app from "../../main.ts"

app.disableLogger()
await app.mount(routes)

export { app }
