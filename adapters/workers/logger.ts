/** `import "fw/workers/logger"`: the app's request logger in a worker, whose platform logs requests by itself too. */
import { platform } from "#platform"
import { PlainLogger } from "../plain-logger.ts"

platform.features.logger ??= (config) => new PlainLogger(config)
