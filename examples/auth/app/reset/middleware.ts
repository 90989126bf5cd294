import { guardPassword } from "../../lib/auth/limits.ts"
import { protectLinks } from "../../lib/auth/links.ts"

export const Middleware = () => [...guardPassword(), protectLinks()]
