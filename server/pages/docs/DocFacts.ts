import { NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { REQUESTS_AS_AGENTS } from "../../../engine/evidence/AuditBudget.ts"
import { PROVIDER_SHARES, RUNS_RETRY_SECONDS } from "../../../engine/limit/ClientQuotas.ts"
import type { LimitSettings, Rate } from "../../../engine/limit/LimitSettings.ts"
import type { UserAgents } from "../../../engine/evidence/UserAgents.ts"
import type { JsonObject } from "../../../engine/text/JsonText.ts"
import type { Addresses } from "../../config/Settings.ts"

/** Facts about the service that the documentation states: its own settings, not the defaults. */
export interface DocFacts {
  readonly addresses: Addresses
  readonly contract: JsonObject
  readonly limits: LimitSettings
  /** Time limit for fetching, in seconds. */
  readonly gatherSeconds: number
  /** Lifetime of an access token of the MCP server, in milliseconds. */
  readonly tokenMs: number
  readonly userAgents: UserAgents
  /** The operator's contact: a `mailto:` or https URL; `null` if none is set. */
  readonly contact: string | null
  readonly version: string
}

/** The values of the placeholders `{name}` in the pages. */
export const placeholdersOf = ({
  addresses,
  contact,
  gatherSeconds,
  limits,
  tokenMs,
  userAgents,
  version
}: DocFacts): Readonly<Record<string, string>> => ({
  base_url: addresses.base,
  base_host: new URL(addresses.base).host,
  docs_url: addresses.docs,
  mcp_url: addresses.mcp,
  version,
  gather_seconds: String(gatherSeconds),
  token_life: spanText(tokenMs),
  submit_rate: rateText(limits.submit),
  submit_policy: policyText("submit", limits.submit),
  poll_rate: rateText(limits.poll),
  poll_policy: policyText("poll", limits.poll),
  browse_rate: rateText(limits.browse),
  browse_policy: policyText("browse", limits.browse),
  fix_rate: rateText(limits.fix),
  fix_policy: policyText("fix", limits.fix),
  site_quota: timesText(limits.siteQuota),
  site_policy: policyText("site", limits.siteQuota),
  verified_policy: policyText("site", limits.siteQuota === null ? null : limits.verifiedQuota),
  site_times: timesSaid(limits.siteQuota),
  ...verificationTexts(limits),
  host_budget: rateText(limits.hostBudget),
  host_requests:
    limits.hostBudget === null
      ? "any number of requests"
      : `at most ${limits.hostBudget.amount.toLocaleString("en-US")} requests in ${spanText(limits.hostBudget.windowMs)}`,
  limits_off: OPTIONAL_LIMITS.some((name) => limits[name] === null)
    ? "The operator of this service has turned off the limits shown as *no limit*."
    : "",
  bot_quota:
    limits.siteQuota === null
      ? "This service does not limit how often a site is audited; robots.txt, as below, always works."
      : `A client network can have a site audited ${timesText(limits.siteQuota)}.`,
  bot_window:
    limits.targetWindowMs === null
      ? ""
      : `A second request within ${spanText(limits.targetWindowMs)} gets the same report and sends nothing to your site.`,
  bot_budget:
    limits.hostBudget === null
      ? ""
      : `All audits that visitors request share a budget of ${limits.hostBudget.amount.toLocaleString("en-US")} requests to a registrable domain, refilled evenly over ${spanText(limits.hostBudget.windowMs)}.`,
  client_runs: limits.clientRuns === null ? "no limit" : String(limits.clientRuns),
  runs_policy: limits.clientRuns === null ? "none" : `\`"runs";q=${limits.clientRuns};w=${RUNS_RETRY_SECONDS}\``,
  network_runs:
    limits.networkRuns === null
      ? "no limit"
      : `${limits.networkRuns.toLocaleString("en-US")}; IPv6 /32: ${(PROVIDER_SHARES * limits.networkRuns).toLocaleString("en-US")}`,
  network_policy:
    limits.networkRuns === null ? "none" : `\`"network";q=${limits.networkRuns};w=${RUNS_RETRY_SECONDS}\``,
  queue_limit:
    limits.queueLimit === null
      ? "The length of the queue is not limited."
      : `If ${limits.queueLimit.toLocaleString("en-US")} audits are waiting, further requests get \`503\` with \`Retry-After\`.`,
  target_window: limits.targetWindowMs === null ? "never reused" : `reused for ${spanText(limits.targetWindowMs)}`,
  agent_own: userAgents.docgauge,
  agent_browser: userAgents.browser,
  agent_count: String(NAMED_AGENTS.length),
  agent_requests: String(REQUESTS_AS_AGENTS),
  contact: contactText(contact)
})

/** What owners of sites gain by a token; without a quota of the site they need none, and without one of verified sites there is none. */
const verificationTexts = ({ siteQuota, verifiedQuota }: LimitSettings) => {
  if (siteQuota === null) {
    return {
      verified_quota: timesText(null),
      verify_purpose: " where a service limits how often a site is audited. This one does not.",
      verify_intro:
        "This service does not limit how often a site is audited, so you need no token for that here. The first three sections are about services that do."
    }
  }
  const usual = `One client network can audit one site ${timesText(siteQuota)}.`
  if (verifiedQuota === null) {
    return {
      verified_quota: "not verified here",
      verify_purpose: " to have it audited more often, where a service verifies sites. This one does not.",
      verify_intro: `${usual} This service verifies no sites for that, so the token below changes nothing here. The first three sections are about services that do.`
    }
  }
  return {
    verified_quota: timesText(verifiedQuota),
    verify_purpose: `, so that the site can be audited again ${timesText(verifiedQuota)} instead of ${timesText(siteQuota)}.`,
    verify_intro: `${usual} If the site is yours, publish a token on it, and it can be audited ${timesText(verifiedQuota)} per network, by anyone who asks: enough to try one fix after the other. There is no account and no e-mail.`
  }
}

/** Those that the table of limits shows. */
const OPTIONAL_LIMITS = [
  "submit",
  "clientRuns",
  "networkRuns",
  "siteQuota",
  "poll",
  "fix",
  "browse",
  "hostBudget"
] as const

const contactText = (contact: string | null): string =>
  contact === null
    ? "The operator of this service has not published a contact address. A robots.txt rule, as above, always works."
    : `Write to the operator of this service: [${contact.replace(/^mailto:/, "")}](${contact}). Name your site and the time of the requests.`

/** `2 in 60 seconds`; without a limit `no limit`. */
const rateText = (rate: Rate | null): string =>
  rate === null ? "no limit" : `${rate.amount} in ${spanText(rate.windowMs)}`

/** `once in 24 hours`; without a limit `no limit`. */
const timesText = (rate: Rate | null): string => {
  if (rate === null) return "no limit"
  return `${rate.amount === 1 ? "once" : `${rate.amount} times`} in ${spanText(rate.windowMs)}`
}

/** The same within a sentence. */
const timesSaid = (rate: Rate | null): string => (rate === null ? "without a limit" : timesText(rate))

/** As in the header `RateLimit-Policy`. */
const policyText = (name: string, rate: Rate | null): string =>
  rate === null ? "none" : `\`"${name}";q=${rate.amount};w=${Math.round(rate.windowMs / 1_000)}\``

const UNITS: ReadonlyArray<readonly [ms: number, name: string]> = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"]
]

/** A duration in the largest unit of which it has at least two: `24 hours`, `90 seconds`, `10 minutes`. */
const spanText = (ms: number): string => {
  const [unit, name] = UNITS.find(([size]) => ms % size === 0 && ms / size >= 2) ??
    UNITS.find(([size]) => ms % size === 0) ?? [1_000, "second"]
  const count = Math.round(ms / unit)
  return `${count} ${name}${count === 1 ? "" : "s"}`
}
