import type { RunError } from "../store/runs/Run.ts"

/** A bug of this service. Only the log has the reason. */
export const INTERNAL: RunError = { code: "internal", message: "The audit failed because of an error in this service." }

export const BLOCKED: RunError = { code: "audit_failed", message: "An operator of this service has blocked this site." }

/** Every process that began the audit died during it. */
export const TOO_MANY_ATTEMPTS: RunError = {
  code: "internal",
  message: "The audit failed: three attempts did not complete."
}
