/** The features for markup. */

import type { Feature } from "../feature.ts"
import { HTMLFeature } from "./html-feature.ts"
import { LinkFeature } from "./link-feature.ts"
import { ProjectRoutes } from "./project-routes.ts"
import { Values } from "./values.ts"

/** Creates the features. `root` returns the directory of the project. */
export function markupFeatures(root: () => string): Feature[] {
  const routes = new ProjectRoutes(root)
  const values = new Values(root, routes)
  const changed = () => {
    routes.changed()
    values.changed()
  }
  return [new HTMLFeature(values), new LinkFeature(root, routes), { changed }]
}
