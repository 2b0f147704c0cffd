import type { LimitRefusal, OwnerVerification } from "../../engine/limit/LimitDecision.ts"
import type { QueueFull } from "../../engine/schedule/Admission.ts"
import type { OwnerProof } from "../api/Errors.ts"
import { agoText, waitText } from "./WaitText.ts"

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

/** Why the queue refused an audit, for users. */
export const queueFullMessage = ({ message, retryAfter }: QueueFull): string =>
  `The queue is full: ${message}. Try again in ${retryAfter} seconds.`
