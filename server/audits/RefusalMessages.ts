import type { LimitRefusal } from "../../engine/limit/LimitDecision.ts"
import type { QueueFull } from "../../engine/schedule/Admission.ts"

const SITE_QUOTA = "This site was audited recently for your network. Read that report instead of submitting again."

/** Why a limit refused an audit, for users. */
export const refusalMessage = ({ code, retryAfter, standing: { limit, policy } }: LimitRefusal): string => {
  if (code === "site_quota") return SITE_QUOTA
  const wait = `Wait ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`
  if (policy === "runs") return `Your network already has ${limit} ${limit === 1 ? "audit" : "audits"} waiting or running. ${wait}`
  return policy === "host" ? `This site is being audited too often. ${wait}` : `Too many requests. ${wait}`
}

/** Why the queue refused an audit, for users. */
export const queueFullMessage = ({ message, retryAfter }: QueueFull): string => `The queue is full: ${message}. Try again in ${retryAfter} seconds.`
