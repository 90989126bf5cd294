/** Errors about the environment of telemetry. */
import { createFaults } from "../../lib/errors/catalogue.ts"
import { otelMessages } from "../../lib/messages/otel.ts"

export const otelFault = createFaults(otelMessages)
