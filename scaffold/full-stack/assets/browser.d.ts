// Lets TypeScript accept imports of stylesheets and of files, which the bundler replaces by their URLs.
declare module "*.css" {}
declare module "*.avif" {
  const url: string
  export default url
}
declare module "*.gif" {
  const url: string
  export default url
}
declare module "*.jpg" {
  const url: string
  export default url
}
declare module "*.png" {
  const url: string
  export default url
}
declare module "*.svg" {
  const url: string
  export default url
}
declare module "*.webp" {
  const url: string
  export default url
}
declare module "*.woff2" {
  const url: string
  export default url
}

// Environment variables are written into the scripts, which everyone can read. So only names with PUBLIC_ are allowed.
interface ImportMeta {
  readonly env: { readonly [name: `PUBLIC_${string}`]: string }
}
