/** `import "fw/workers/all"`: every feature that a server has, in a worker. What a worker names one by one is smaller. */
import "./cookies.ts"
import "./messages.ts"
import "./mount.ts"
import "./openapi.ts"
import "./pages.ts"
import "./sockets.ts"
import "./sse.ts"
import "./static.ts"
