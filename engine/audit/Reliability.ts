import * as Effect from "effect/Effect"
import type { JournalEntry } from "../evidence/Journal.ts"
import { isSubstantive } from "../site/Page.ts"
import type { Site } from "../site/Site.ts"
import type { Reliability, ReliabilityFlag } from "./Report.ts"

/** Below this share of points whose evidence could be had, a score says more about the network than about the site. */
const ENOUGH_COVERAGE = 0.75

/** Below this share of pages with text in them, a site counts as rendered by the client (criterion E1, level 0). */
const CLIENT_RENDERED = 0.25

/** Flags under which the score is not to be relied on. */
const DISQUALIFYING: ReadonlySet<ReliabilityFlag> = new Set(["bot_challenge", "login_wall", "client_rendered", "timed_out", "unresponsive"])

/** Share of pages from which on one trait of pages marks the site. */
const MARKED = 0.5

/** What a reader must know before trusting the score; beside it, never inside it. */
export const reliabilityOf = Effect.fn("Reliability.of")(function*(
  site: Site,
  journal: ReadonlyArray<JournalEntry>,
  skipped: Reliability["skipped"],
  coverage: number,
  pluginFailed: boolean
): Effect.fn.Return<Reliability> {
  const canary = yield* site.canary
  const { candidates, pages, visits } = yield* site.sample
  const spec = yield* site.spec
  const share = (holds: (page: (typeof pages)[number]) => boolean) =>
    pages.length === 0 ? 0 : pages.filter(holds).length / pages.length
  const challenged = journal.some(({ hop, seen }) => seen && hop._tag === "HopAnswer" && isChallenge(hop.status, hop.headers))
  const flags: ReadonlyArray<readonly [ReliabilityFlag, boolean]> = [
    ["catch_all", canary.catchAll],
    ["bot_challenge", challenged || share((page) => page.challenge !== null) >= MARKED],
    ["login_wall", share((page) => page.loginWall) >= MARKED],
    ["single_page", candidates.length <= 1 && visits.length <= 1],
    ["client_rendered", pages.length > 0 && share(isSubstantive) < CLIENT_RENDERED],
    ["off_site", spec.best === null && spec.candidates.some((candidate) => candidate.offSite)],
    ["timed_out", skipped.some((item) => item.reason === "deadline")],
    ["unresponsive", skipped.some((item) => item.reason === "unresponsive")],
    ["truncated", skipped.some(({ reason }) => reason !== "deadline" && reason !== "unresponsive")],
    ["plugin_failed", pluginFailed],
    ["no_http_api", spec.best === null && spec.placeholder === null && pages.every((page) => page.operations.length === 0)]
  ]
  const raised = flags.flatMap(([flag, holds]) => (holds ? [flag] : []))
  const reliable = coverage >= ENOUGH_COVERAGE && pages.length > 0 && !raised.some((flag) => DISQUALIFYING.has(flag))
  return { reliable, coverage, flags: raised, skipped }
})

/** An answer by which a bot filter says itself that it stands in between. */
const isChallenge = (status: number, headers: ReadonlyArray<readonly [string, string]>): boolean =>
  (status === 403 || status === 503 || status === 429) &&
  headers.some(([name, value]) => (name === "cf-mitigated" && value === "challenge") || name === "x-vercel-mitigated" || name === "x-datadome")
