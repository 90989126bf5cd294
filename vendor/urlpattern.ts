/** `URLPattern` for runtimes that have none. Bundled into dist/vendor/; imported lazily by the Node adapter. */
export { URLPattern } from "urlpattern-polyfill/urlpattern"
