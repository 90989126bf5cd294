/** Messages of programs that `fw build` makes, about their processes, certificates and secrets. */
import type { Messages } from "./message.ts"

export const startMessages = {
  assets_dir: (dir: string, reason: string) => [
    `FW_ASSETS_DIR names ${JSON.stringify(dir)}, where the program cannot write its files: ${reason}`,
    "Name a directory that the user of the program may write to, and that all programs behind the load balancer share.",
  ],
  listen_fds: (value: string) => [
    `systemd gives the program ${value} sockets (LISTEN_FDS), and it listens on one`,
    "Keep one line with ListenStream= in the .socket unit. ListenStream=3000 takes IPv4 and IPv6.",
  ],
  metrics_port: (value: string) => [
    `the environment variable FW_METRICS_PORT is ${JSON.stringify(value)}, which is not a port`,
    "Set it to a port, such as 9464, at which only this machine gets the metrics, or to an IP address and a port, such as 0.0.0.0:9464.",
  ],
  tls: (presentName: string, missingName: string) => [
    `${presentName} is set, and ${missingName} is not`,
    "HTTPS needs both: the certificate, and its private key.",
  ],
  "tls.encrypted": (name: string, passphrase?: string) => [
    `${name} is encrypted`,
    `${passphrase === undefined ? "Write" : `Name the file of its passphrase in ${passphrase}_FILE. Or write`} it without a passphrase, to a file that only the user of the program may read: openssl pkey -in old.pem -out key.pem`,
  ],
  "tls.file": (variable: string, path: string, reason: string) => [
    `${variable} names ${JSON.stringify(path)}, which cannot be read: ${reason}`,
    "Name a file in PEM that the user of the program may read.",
  ],
  "tls.match": (cert: string, key: string) => [
    `${key} is not the private key of ${cert}`,
    "Use two files that belong together. The first certificate in the file must be that of the program, followed by those of its issuers.",
  ],
  "tls.passphrase": (key: string, passphrase: string) => [
    `${passphrase} is not the passphrase of ${key}`,
    "See whether OpenSSL reads the key with it: openssl pkey -in key.pem -noout. A space at its end is part of it. Line breaks at the end of its file are not.",
  ],
  "tls.pem": (name: string, kind: "certificate" | "private key") => [
    `${name} is not a ${kind} in PEM`,
    `A line of it is -----BEGIN ${kind.toUpperCase()}-----, or similar.`,
  ],
  "tls.text": (variable: string) => [
    `${variable} is the text of a file, not its path`,
    `Write the text to a file, and its path to ${variable}.`,
  ],
  // The path is not shown. Somebody may have set the variable to the secret by mistake.
  variable_file: (variable: string, reason: string) => [
    `${variable}_FILE names a file that cannot be read: ${reason}`,
    `Name a file that the user of the program may read, with the value of ${variable} as text.`,
  ],
  "variable_file.both": (variable: string) => [`${variable} and ${variable}_FILE are both set`, "Keep one of them."],
  workers: (value: string, maxWorkers: number) => [
    `the environment variable FW_WORKERS is ${JSON.stringify(value)}, which is not a number of workers`,
    `Set it to a number from 1 to ${maxWorkers}, or to auto for one on each processor.`,
  ],
  "workers.runtime": (runtime: string) => [
    `FW_WORKERS asks for several workers, but the program runs on ${runtime}`,
    `Leave out FW_WORKERS, and start ${runtime} several times, or run the program on Node.`,
  ],
} satisfies Messages
