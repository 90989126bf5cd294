/** Messages about the environment of `fw/otel`. */
import { formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

export const otelMessages = {
  "otel.hosts": (value: unknown) => [
    `propagateTo has ${formatValue(value)}, which is not a host`,
    'Write hosts as in a URL, without a scheme: propagateTo: ["prices.internal", "localhost:4000"].',
  ],
  "otel.spans": (value: unknown, known: readonly string[]) => [
    `spans has ${formatValue(value)}, which telemetry() does not know`,
    `It takes a list of ${known.join(" and ")}.`,
  ],
  "otel.protocol": (value: string) => [
    `OTEL_EXPORTER_OTLP_PROTOCOL is ${formatValue(value)}, and telemetry() sends http/json`,
    "Set it to http/json, and OTEL_EXPORTER_OTLP_ENDPOINT to the collector's port for HTTP, which is usually 4318.",
  ],
  "otel.url": (name: string, value: string) => [
    `${name} is ${formatValue(value)}, which is not a URL`,
    "Set it to the address of the collector, such as http://localhost:4318.",
  ],
  "otel.pairs": (name: string, value: string) => [
    `${name} has ${formatValue(value)}, which is not a name with a value`,
    "Write pairs with commas between them, and percent-encode what is not plain: team=blue,owner=Ada%20Lovelace.",
  ],
  "otel.sampler": (value: string) => [
    `OTEL_TRACES_SAMPLER is ${formatValue(value)}, which telemetry() does not know`,
    "Set it to always_on, always_off, traceidratio, or one of these with parentbased_ before it.",
  ],
  "otel.ratio": (value: string) => [
    `OTEL_TRACES_SAMPLER_ARG is ${formatValue(value)}, which is not a share of the traces`,
    "Set it to a number from 0 to 1, such as 0.01 for one trace in a hundred.",
  ],
} satisfies Messages
