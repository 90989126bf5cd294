/** The documentation of fw as an app. It has no server of its own: `npm run build` writes its pages as files. */
import { App } from "fw"

export default new App()
