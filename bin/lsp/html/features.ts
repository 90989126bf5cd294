/** The features for markup. */

import { CSSFeature } from "../css/css-feature.ts"
import { ProjectStyles } from "../css/project-styles.ts"
import type { Feature } from "../feature.ts"
import type { Project } from "../registry.ts"
import { HTMLFeature } from "./html-feature.ts"
import { LinkFeature } from "./link-feature.ts"
import { ProjectRoutes } from "./project-routes.ts"
import { StructureFeature } from "./structure-feature.ts"
import { Values } from "./values.ts"

/** Creates the features. */
export function markupFeatures(project: Project): Feature[] {
  const { root } = project
  const routes = new ProjectRoutes(project)
  const styles = new ProjectStyles(root)
  const changed = () => {
    routes.changed()
    styles.changed()
  }
  const html = new HTMLFeature(new Values(routes, styles))
  return [new CSSFeature(styles), html, new LinkFeature(root, routes), new StructureFeature(), { changed }]
}
