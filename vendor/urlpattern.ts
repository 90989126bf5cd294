/**
 * `URLPattern` for runtimes that have none. Bundled into dist/vendor/; the Node adapter imports it when it is needed.
 */
export { URLPattern } from "urlpattern-polyfill/urlpattern"
