/**
 * The environment variables of fw that a program reads, for `--help` and for messages about misspelled names.
 */

/** The meanings of the variables, by name. */
export const variables: Readonly<Record<string, string>> = {
  HOST: "the interface to listen on; otherwise every one",
  PORT: "the port, or the path of a Unix socket; otherwise 3000",
  NODE_ENV: "production, for programs that others use",
  FW_ASSETS_DIR: "a directory that several builds share, for the files that pages load",
  FW_DRAIN: "seconds before a shutdown in which load balancers notice it",
  FW_FAST: "false makes standard objects for each request",
  FW_JOBS: "the number of jobs to run at the same time, off, or only or only,8 to serve nothing else; otherwise 10",
  FW_LOG_LEVEL: "debug, info, warn, error or off",
  FW_METRICS_PORT: "the port of this machine at which Prometheus finds /metrics, or an address and a port",
  FW_MIGRATE: "start applies the migrations of db/ before the program listens",
  FW_SECRETS: "the keys of sessions and signed cookies, the newest first",
  FW_TLS_CERT: "the file of a certificate, for HTTPS",
  FW_TLS_KEY: "the file of its private key",
  FW_TLS_PASSPHRASE: "the passphrase of that key, if it has one",
  FW_WORKERS: "the number of processes, or auto",
}
