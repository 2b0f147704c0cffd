import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, flag, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { sampledPages } from "../../engine/plugin/SampledPages.ts"
import { capitalised, grouped, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import {
  type Exchange,
  isAnswer,
  isChallenge,
  isChallengeError,
  isForbidden,
  isMissing,
  isUnobtainable
} from "../../engine/evidence/Exchange.ts"
import type { ProbedUrl } from "../../engine/site/wellknown/FileVerdict.ts"
import type { Visit } from "../../engine/site/sample/Sample.ts"

/** E2: status codes tell the truth, and URLs lead straight to their pages. */
export const e2HonestAnswers = define({
  id: "e2-honest-answers",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    dishonest_canaries: count("made-up URLs that do not return 404 or 410"),
    soft_errors: count("sampled pages and Markdown versions that are an error page with status 200"),
    login_walls: count("sampled pages that ask for a login"),
    pages: count("sampled pages that were fetched"),
    detoured: share("of those, pages behind more than one redirect or on another host"),
    scripted_start: flag("the audited URL redirects by script or meta refresh"),
    scripted: share("share of sampled pages that redirect by script or meta refresh")
  },
  measure: Effect.fn("e2-honest-answers")(function* (site) {
    const { places } = yield* site.notFoundProbe
    const { visits } = yield* site.sample
    const { missing: lost, pages } = yield* sampledPages(site)
    const markdownVersions = yield* site.markdownVersions
    const first = places[0]?.exchange ?? site.base.exchange
    const told = places.filter(({ exchange }) => !isUnobtainable(exchange) || isForbidden(exchange))
    if (told.length === 0) {
      return yield* new Unobtainable({
        message: `${untoldShown(places)}, so we could not check what the site returns for unknown pages.`,
        exchange: first
      })
    }
    const dishonest = told.filter(({ honest }) => !honest)
    const softPages = pages.filter((page) => page.saysNotFound && page.answer.status === 200)
    const softVersions = markdownVersions.pages.flatMap(({ attempts }) =>
      attempts.flatMap(({ exchange, verdict }) =>
        verdict === "error_text" && isAnswer(exchange) && exchange.status === 200 ? [exchange] : []
      )
    )
    const walls = pages.filter((page) => page.loginWall)
    const fetched = visits.filter((visit) => visit.page !== null || leftHost(visit, site.base.origin))
    const detours = fetched.filter((visit) => visit.exchange.redirects.length > 1 || leftHost(visit, site.base.origin))
    const read = visits.flatMap(({ page }) => (page === null || page.challenge !== null ? [] : [page]))
    const scripted = read.filter((page) => page.redirect !== null)
    const startedByScript = site.base.redirects.find(({ kind }) => kind !== "http")
    const unprobed = places.map(({ exchange }) => exchange).filter(isMissing)
    const unversioned = markdownVersions.pages.flatMap(({ attempts }) =>
      attempts.flatMap(({ exchange, verdict }) => (verdict === "unobtainable" && isMissing(exchange) ? [exchange] : []))
    )
    const soft = softPages.length + distinctUrls(softVersions).length
    const faults: ReadonlyArray<Finding> = [
      ...dishonestFinding(dishonest, places.length),
      ...softPages.map((page) => fault(`${pathShown(page.url)} is an error page with status 200.`, page.answer)),
      ...distinctUrls(softVersions).map((exchange) =>
        fault(`${pathShown(exchange.url)} is an error message with status 200.`, exchange)
      ),
      ...walls.map((page) => fault(`${pathShown(page.url)} asks for a login.`, page.answer)),
      ...detours.map((visit) => fault(detourShown(visit, site.base.origin), visit.exchange)),
      ...(startedByScript === undefined
        ? []
        : [
            fault(
              `The audited URL redirects by ${redirectShown(startedByScript.kind)} to ${pathShown(startedByScript.location)}.`,
              site.base.exchange
            )
          ]),
      ...scripted.map((page) =>
        fault(`${pathShown(page.url)} redirects by ${redirectShown(page.redirect?.kind)}.`, page.answer)
      )
    ]
    const summary: Finding = {
      good: faults.length === 0,
      message:
        faults.length === 0
          ? `Made-up URLs return ${statusesOf(places)}${pages.length === 0 ? "" : `; we found no soft 404, login wall or redirect chain on ${pages.length === 1 ? "the only page" : `the ${grouped(pages.length)} pages`} we read`}.`
          : faultsShown({
              dishonest,
              asked: places.length,
              soft,
              walls: walls.length,
              detours: detours.length,
              startedByScript: startedByScript !== undefined,
              scripted: scripted.length
            }),
      proof: faults[0]?.proof ?? first
    }
    return {
      facts: {
        dishonest_canaries: dishonest.length,
        soft_errors: soft,
        login_walls: walls.length,
        pages: pages.length,
        detoured: ratio(detours.length, fetched.length),
        scripted_start: startedByScript !== undefined,
        scripted: ratio(scripted.length, read.length)
      },
      uncertain: {
        dishonest_canaries: between(dishonest.length, dishonest.length + unprobed.length),
        soft_errors: between(soft, soft + lost.length + unversioned.length),
        login_walls: between(walls.length, walls.length + lost.length),
        pages: between(pages.length, pages.length + lost.length),
        detoured: shareBetween(detours.length, fetched.length, lost.length),
        scripted: shareBetween(scripted.length, read.length, lost.length)
      },
      unanswered: [...unprobed, ...lost, ...unversioned],
      findings: [summary, ...faults] as const
    }
  })
})

/** Storage answers 403 for each file that it does not have if listing it is not allowed; the 403 of a bot filter says nothing of the file. */
const untoldShown = (places: ReadonlyArray<ProbedUrl>): string => {
  const statuses = statusesOf(places)
  const challenged = places.some(
    ({ exchange }) => isAnswer(exchange) && (isChallenge(exchange) || isChallengeError(exchange))
  )
  return statuses === ""
    ? "No made-up URL got a response"
    : `Made-up URLs return ${statuses}${challenged ? " with a bot challenge" : ""}`
}

/** The page is on another host than the audited one, on this site or another. */
const leftHost = ({ exchange }: Visit, origin: string): boolean =>
  exchange.redirects.length > 0 &&
  (isAnswer(exchange) || exchange.kind === "off_site") &&
  new URL(exchange.url).hostname !== new URL(origin).hostname

const distinctUrls = <E extends Exchange>(exchanges: ReadonlyArray<E>): ReadonlyArray<E> => [
  ...new Map(exchanges.map((exchange) => [exchange.url, exchange])).values()
]

interface Faults {
  readonly dishonest: ReadonlyArray<ProbedUrl>
  readonly asked: number
  readonly soft: number
  readonly walls: number
  readonly detours: number
  readonly startedByScript: boolean
  readonly scripted: number
}

/** Each kind of fault with how often we found it. */
const faultsShown = ({ asked, detours, dishonest, scripted, soft, startedByScript, walls }: Faults): string => {
  const pages = (some: number, singular: string, plural: string): ReadonlyArray<string> =>
    some === 0 ? [] : [some === 1 ? `1 page ${singular}` : `${grouped(some)} pages ${plural}`]
  const clauses = [
    ...(dishonest.length === 0 ? [] : [dishonestShown(dishonest, asked)]),
    ...pages(soft, "is an error page with status 200", "are error pages with status 200"),
    ...pages(walls, "asks for a login", "ask for a login"),
    ...pages(
      detours,
      "takes more than one redirect or leaves the host",
      "take more than one redirect or leave the host"
    ),
    ...(startedByScript ? ["the audited URL redirects by script or meta refresh"] : []),
    ...pages(scripted, "redirects by script or meta refresh", "redirect by script or meta refresh")
  ]
  return `${capitalised(clauses.join("; "))}.`
}

const dishonestShown = (dishonest: ReadonlyArray<ProbedUrl>, asked: number): string => {
  const statuses = statusesOf(dishonest)
  const answers =
    statuses !== ""
      ? ([`returns ${statuses} instead of 404`, `return ${statuses} instead of 404`] as const)
      : (["redirects off the site", "redirect off the site"] as const)
  return someOf(dishonest.length, asked, ["made-up URL", "made-up URLs"], answers)
}

const fault = (message: string, proof: Exchange): Finding => ({ good: false, message, proof })

/** Together they are one fault. */
const dishonestFinding = (dishonest: ReadonlyArray<ProbedUrl>, asked: number): ReadonlyArray<Finding> => {
  const [first] = dishonest
  if (first === undefined) return []
  return [fault(`${dishonestShown(dishonest, asked)}, such as ${pathShown(first.url)}.`, first.exchange)]
}

const detourShown = ({ candidate, exchange }: Visit, origin: string): string => {
  const target = new URL(exchange.url)
  return target.hostname === new URL(origin).hostname
    ? `${pathShown(candidate.url)} takes ${exchange.redirects.length} redirects to ${pathShown(exchange.url)}.`
    : `${pathShown(candidate.url)} redirects to another host, ${target.host}.`
}

const redirectShown = (kind: string | undefined): string => (kind === "meta" ? "meta refresh" : "script")

const statusesOf = (places: ReadonlyArray<ProbedUrl>): string =>
  [...new Set(places.flatMap(({ exchange }) => (isAnswer(exchange) ? [String(exchange.status)] : [])))]
    .sort()
    .join(" and ")
