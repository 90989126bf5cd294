/** The documentation of fw as an app. `npm run build` writes its pages as files, so no server of the app is needed. */
import { App } from "fw"

export default new App()
