import type { RunError } from "../store/Run.ts"

/** The audit broke off for a reason of our own, which only the log has. */
export const BROKE_OFF: RunError = { code: "internal", message: "The audit broke off because of an error of this service." }

/** Nothing was sent to the site, or nothing any more. */
export const BLOCKED: RunError = { code: "audit_failed", message: "An operator of this service has blocked this site." }

/** Every process that began the audit died over it. */
export const WORN_OUT: RunError = { code: "internal", message: "The audit was begun three times, and broken off each time." }
