// What browser code can import besides modules: stylesheets, and files by their URL.
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

// Variables of the environment become part of scripts, so their names begin with PUBLIC_.
interface ImportMeta {
  readonly env: { readonly [name: `PUBLIC_${string}`]: string }
}
