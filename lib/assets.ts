/**
 * The files that pages load, as the command describes them: URLs, hashes and modules. Generated code passes them to
 * `app.mount()`.
 */

/**
 * A file that a page loads, with what the tags of the page need.
 *
 * @example
 * const script: Asset = { url: "/assets/cart-5KQ2ZV7N.js", integrity: "sha384-…", imports: [{ url: "/assets/shared-0A1B2C3D.js" }] }
 */
export interface Asset extends AssetFile {
  /** Modules that a script imports, which a page can load at the same time. */
  readonly imports?: readonly AssetFile[]
  /** Stylesheets of the modules of a script (`import "./cart.css"`). */
  readonly styles?: readonly AssetFile[]
}

/** The URL of a file, and how a browser checks it. @example const file: AssetFile = { url: "/assets/cart.js" } */
export interface AssetFile {
  /** The URL that pages load: `/assets/cart-5KQ2ZV7N.js`, `/static/logo-1F0C9A2B.svg`; under `fw dev` without a hash: `/assets/cart.js`. */
  readonly url: string
  /** `sha384-…` of a script or stylesheet; missing under `fw dev`. */
  readonly integrity?: string
}

/**
 * The files of a project that pages load.
 *
 * @example
 * const assets: AssetManifest = {
 *   isHashed: true,
 *   files: { "/static/logo.svg": { url: "/static/logo-1F0C9A2B.svg" } },
 * }
 * await app.mount({ tree: { appDir: "app", routes: [], middleware: [], pages: [], layouts: [] }, modules: {}, assets })
 */
export interface AssetManifest {
  /**
   * The directory of the bundled files, which the app serves at `/assets`. Missing if the project has no entry in
   * `assets/`.
   */
  readonly dir?: string
  /** True in a build: names have hashes, and the files never change. */
  readonly isHashed: boolean
  /**
   * The files by the path that templates write: `/assets/cart.ts`, `/static/logo.svg`. Under `fw dev` static files are
   * not listed, because they keep their names.
   */
  readonly files: Readonly<Record<string, Asset>>
  /** Custom elements by tag: `cart-element`. */
  readonly elements?: Readonly<Record<string, Asset>>
}

/** The files of the whole program. They are not part of an app, because templates do not know the app. */
let manifest: AssetManifest | undefined

/** Sets the files whose URLs templates print. */
export function setAssets(newManifest: AssetManifest): void {
  manifest = newManifest
}

/** Returns the files of the program; undefined for a program without any. */
export function getAssets(): AssetManifest | undefined {
  return manifest
}
