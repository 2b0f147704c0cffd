import type { LimitRefusal, OwnerVerification } from "../../engine/limit/LimitDecision.ts"
import type { Rate } from "../../engine/limit/LimitSettings.ts"
import type { QueueFull } from "../../engine/schedule/Admission.ts"
import type { OwnerProof } from "../api/Errors.ts"

/** Why a limit refused an audit, and when the next one is possible, for users. */
export const refusalMessage = (refusal: LimitRefusal): string => {
  const {
    code,
    network = "",
    retryAfter,
    runId,
    standing: { limit, policy }
  } = refusal
  if (code === "site_quota")
    return [
      siteQuotaMessage(refusal),
      ...(refusal.verification === undefined ? [] : [verificationText(refusal.verification)])
    ].join(" ")
  const wait = `Wait ${waitText(retryAfter)}.`
  if (policy === "runs")
    return `Your network already has ${limit} ${limit === 1 ? "audit" : "audits"} waiting or running. ${wait}`
  if (policy === "network") {
    return `The network ${network}, which yours is part of, already has ${limit} ${limit === 1 ? "audit" : "audits"} waiting or running, as many as it may have. Wait ${waitText(retryAfter)}, or run npx docgauge URL now.`
  }
  if (policy === "plans")
    return `Your network already has ${limit} ${limit === 1 ? "plan" : "plans"} waiting or being made. ${wait}`
  return policy === "host"
    ? `Audits have sent this site as many requests as we allow. ${runId === null ? "" : "Read its newest report. "}The next audit is possible in ${waitText(retryAfter)}.`
    : `Too many requests. ${wait}`
}

const siteQuotaMessage = ({ auditedAgo, retryAfter, runId }: LimitRefusal): string =>
  `This site was audited ${auditedAgo === undefined ? "recently" : agoText(auditedAgo)} for your network. ${runId === null ? "" : "Read that report. "}You can audit the site again in ${waitText(retryAfter)}, or run npx docgauge URL now.`

const OWNERS = "If the site is yours, publish"

/** A message as pages show it, which explain apart what owners publish. */
export const withoutVerification = (message: string): string => message.split(` ${OWNERS}`, 1)[0] ?? message

const verificationText = ({ file, meta, then, token }: OwnerVerification): string =>
  `${OWNERS} ${token} in ${file}, or ${meta} in the <head> of the page at base_url: it can then be audited ${then}.`

/** Why only the owner of the site may ask for that, and how to prove to be it. */
export const notOwnerMessage = ({ file, meta, token }: OwnerProof, hasKey: boolean): string =>
  [
    hasKey
      ? "The token of this owner_key was not found on the site. We look for it once a minute at most."
      : "Only the owner of a site may have it asked as AI agents.",
    `${OWNERS} ${token} in ${file}, or ${meta} in the <head> of the page at base_url, and submit again with the owner_key of this answer.`
  ].join(" ")

/**
 * Why only the owner of a site and of a receiver may have a webhook, and how to prove to be it. `found`: whether the site has the token of
 * the owner key that was sent; `null` if none was.
 */
export const notReceiversOwnerMessage = (
  { ownership, receiver }: { readonly ownership: OwnerProof; readonly receiver: OwnerProof },
  found: { readonly site: boolean } | null
): string =>
  [
    found === null
      ? "Only the owner of a site can have a webhook for it, at a URL of their own."
      : `The token of this owner_key was not found ${found.site ? "at url" : "on the site"}. We look for it once a minute at most.`,
    `${OWNERS} ${ownership.token} in ${ownership.file},`,
    ownership.file === receiver.file ? "" : `and ${receiver.token} in ${receiver.file},`,
    "and ask again with the owner_key of this answer. The other way to publish each is in ownership and receiver."
  ]
    .filter((part) => part !== "")
    .join(" ")

/** Why the queue refused an audit, for users. */
export const queueFullMessage = ({ message, retryAfter }: QueueFull): string =>
  `The queue is full: ${message}. Try again in ${retryAfter} seconds.`

/** A span in words, in its two largest units, rounded up so that a wait is never too short: `23 hours and 40 minutes`, `1 minute`. */
export const waitText = (seconds: number): string => {
  if (seconds < 60) return unitText(seconds, "second")
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return unitText(minutes, "minute")
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours >= 48) return unitText(Math.ceil(hours / 24), "day")
  return rest === 0 ? unitText(hours, "hour") : `${unitText(hours, "hour")} and ${unitText(rest, "minute")}`
}

/** How long ago something was, in its largest unit: `20 minutes ago`, `just now`. */
const agoText = (seconds: number): string => {
  if (seconds < 60) return "just now"
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${unitText(minutes, "minute")} ago`
  return minutes < 48 * 60
    ? `${unitText(Math.floor(minutes / 60), "hour")} ago`
    : `${unitText(Math.floor(minutes / 1_440), "day")} ago`
}

/** `once every 10 minutes`, `3 times every hour`. */
export const everyText = ({ amount, windowMs }: Rate): string => {
  const span = waitText(Math.round(windowMs / 1_000)).replace(/^1 (second|minute|hour|day)$/, "$1")
  return `${amount === 1 ? "once" : `${amount} times`} every ${span}`
}

const unitText = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`
