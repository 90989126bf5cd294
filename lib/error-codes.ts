/**
 * The codes of every {@link FwError} that fw makes, by subject. They are stable: programs may test for them.
 * `docs/reference/errors/` has a heading for each.
 */

/** Codes of the application: what it registers, and how it is configured. */
type ApplicationCode =
  | "app"
  | "app_options"
  | "around"
  | "conflict"
  | "handler"
  | "health_options"
  | "left_out"
  | "listen"
  | "load"
  | "log_level"
  | "logger_config"
  | "mcp_options"
  | "method"
  | "middleware"
  | "mount"
  | "openapi_options"
  | "pattern"
  | "platform"
  | "proxy"
  | "proxy_config"
  | "rewrite"
  | "sealed"
  | "secrets"
  | "shutdown"
  | "socket"
  | "static"
  | "test_client"
  | "trusted_proxies"
  | "use_late"

/** Codes of the middleware that comes with fw: options that are unknown or not valid. */
type MiddlewareCode =
  | "basic_auth"
  | "bearer_auth"
  | "combine"
  | "compress"
  | "cors"
  | "csrf"
  | "etag"
  | "ip_restriction"
  | "jwt"
  | "rate_limit"
  | "recover"
  | "request_id"
  | "secure_headers"
  | "server_timing"
  | "session"
  | "timeout"

/** Codes of `fw/store`: a wrong use, and calls that an engine did not answer. */
type StoreCode = "store" | "store_unavailable" | "store_unknown"

/** Codes of servers and hosts. */
type ServerCode =
  | "address"
  | "host"
  | "lambda"
  | "node_handler"
  | "on_shutdown"
  | "port_denied"
  | "port_in_use"
  | "serve"
  | "workers"
  | "ws_missing"

/** Codes of what a scan of the route directory finds. */
type ScanCode =
  | "app_dir"
  | "duplicate"
  | "exports"
  | "file_name"
  | "link"
  | "mcp_export"
  | "misplaced"
  | "scan"
  | "syntax"
  | "unreadable"

/** Codes of a command line that fw cannot read. The command exits with 2. */
type UsageCode =
  | "invalid_value"
  | "missing_argument"
  | "missing_command"
  | "missing_value"
  | "repeated_flag"
  | "unexpected_argument"
  | "unknown_command"
  | "unknown_flag"
  | "usage"

/** Codes of files and directories that a command reads or writes. */
type FileCode = "directory" | "exists" | "outside" | "unwritable" | "watch"

/** Codes of other programs that a command runs. */
type ProgramCode = "git" | "git_name" | "program_failed" | "program_missing" | "program_start" | "registry"

/** Codes of `fw css` and of the CSS compiler. */
type CSSCode =
  | "css_binary"
  | "css_cache"
  | "css_compile"
  | "css_digest"
  | "css_download"
  | "css_input"
  | "css_mirror"
  | "css_no_digest"
  | "css_npm"
  | "css_output"
  | "css_platform"

/** Codes of `fw build`. */
type BuildCode =
  | "build_machine"
  | "build_macho"
  | "build_output"
  | "build_pe"
  | "build_space"
  | "bundle"
  | "esbuild_missing"
  | "fw_version"
  | "image_base"
  | "image_libraries"
  | "native_machine"
  | "native_node"
  | "native_versions"
  | "node_cache"
  | "node_digest"
  | "node_download"
  | "not_built"

/** Codes of a project that a command works on. */
type ProjectCode =
  | "answers"
  | "env_file"
  | "format_file"
  | "main"
  | "no_project"
  | "no_tests"
  | "package_json"
  | "patch"
  | "template"
  | "templates"
  | "validators"

/** Codes of `fw new` and `fw generate`. */
type NewCode = "fields" | "name" | "new_write" | "not_installed" | "offline" | "path" | "patterns"

/** Codes of `fw openapi` and `fw mcp`. */
type ToolCode = "arguments" | "no_answer" | "no_dev_server" | "server" | "spec" | "too_long" | "workdir"

/**
 * The code of every error that fw makes. `fw help <code>` explains it.
 *
 * @example
 * const busy: FwErrorCode = "port_in_use"
 * await app.listen().catch((error) => {
 *   if (error.code === busy) process.exitCode = 75
 *   throw error
 * })
 */
export type FwErrorCode =
  | ApplicationCode
  | MiddlewareCode
  | StoreCode
  | ServerCode
  | ScanCode
  | UsageCode
  | FileCode
  | ProgramCode
  | CSSCode
  | BuildCode
  | ProjectCode
  | NewCode
  | ToolCode
