/** The project that is open in the editor. */
import type { Documents } from "./documents.ts"

/** The directories of the project. */
export interface ProjectDirectories {
  /** Returns the directory of the project. A function, because the editor may name it later. */
  readonly root: () => string
  /** The route directory, relative to the project. */
  readonly appDir: string
}

/** The project and its open documents. */
export interface Project extends ProjectDirectories {
  readonly documents: Documents
}
