/** The project that is open in the editor. */
import type { Documents } from "./documents.ts"

/** The directories of the project, as the editor names them. */
export interface ProjectDirectories {
  /** Returns the directory of the project. The editor may name it only after this object was made. */
  readonly root: () => string
  /** The directory of the routes, relative to the project. */
  readonly appDir: string
}

/** The project with the documents that are open. */
export interface Project extends ProjectDirectories {
  readonly documents: Documents
}
