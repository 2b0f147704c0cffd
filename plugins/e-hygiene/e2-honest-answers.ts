import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, flag, ratio, share } from "../../engine/criterion/Fact.ts"
import { counted, pathShown } from "../../engine/criterion/Wording.ts"
import { type Exchange, isAnswer, isUnobtainable } from "../../engine/evidence/Exchange.ts"
import type { CanaryPlace } from "../../engine/site/Canary.ts"
import type { Visit } from "../../engine/site/Sample.ts"

/** Faults that the summary names. */
const SUMMED = 2

/** E2: does a status mean what it says, and does an address lead straight to its page? */
export const e2HonestAnswers = define({
  id: "e2-honest-answers",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    dishonest_canaries: count("addresses made up for the purpose that were not answered 404 or 410"),
    soft_errors: count("pages of the sample and Markdown twins that are an error page with status 200"),
    login_walls: count("pages of the sample that ask for a login in place of content"),
    pages: count("pages of the sample that were fetched"),
    detoured: share("of those, pages behind more than one redirect, and pages that lie on another host"),
    scripted_start: flag("the audited address redirects by script or meta refresh"),
    scripted: share("pages of the sample that redirect by script or meta refresh")
  },
  measure: Effect.fn("e2-honest-answers")(function*(site) {
    const { places } = yield* site.canary
    const { pages, visits } = yield* site.sample
    const twins = yield* site.twins
    const first = places[0]?.exchange ?? site.base.exchange
    if (places.every(({ exchange }) => isUnobtainable(exchange))) {
      return yield* new Unobtainable({ message: "No address that does not exist could be asked for.", exchange: first })
    }
    const dishonest = places.filter((place) => !place.honest && !isUnobtainable(place.exchange))
    const softPages = pages.filter((page) => page.saysNotFound && page.answer.status === 200)
    const softTwins = twins.pages.flatMap(({ attempts }) =>
      attempts.flatMap(({ exchange, verdict }) => (verdict === "error_text" && isAnswer(exchange) && exchange.status === 200 ? [exchange] : [])))
    const walls = pages.filter((page) => page.loginWall)
    const fetched = visits.filter((visit) => visit.page !== null || leftHost(visit, site.base.origin))
    const detours = fetched.filter((visit) => visit.exchange.redirects.length > 1 || leftHost(visit, site.base.origin))
    const scripted = pages.filter((page) => page.redirect !== null)
    const startedByScript = site.base.redirects.find(({ kind }) => kind !== "http")
    const faults: ReadonlyArray<Finding> = [
      ...dishonestFinding(dishonest, places.length),
      ...softPages.slice(0, 2).map((page) => fault(`${pathShown(page.url)} is an error page with status 200.`, page.answer)),
      ...softTwins.slice(0, 2).map((exchange) => fault(`${pathShown(exchange.url)} is an error text with status 200.`, exchange)),
      ...walls.slice(0, 2).map((page) => fault(`${pathShown(page.url)} asks for a login.`, page.answer)),
      ...detours.slice(0, 2).map((visit) => fault(detourShown(visit, site.base.origin), visit.exchange)),
      ...(startedByScript === undefined ? [] : [fault(`The audited address redirects by ${redirectShown(startedByScript.kind)} to ${pathShown(startedByScript.location)}.`, site.base.exchange)]),
      ...scripted.slice(0, 2).map((page) => fault(`${pathShown(page.url)} redirects by ${redirectShown(page.redirect?.kind)}.`, page.answer))
    ]
    const summary: Finding = {
      good: faults.length === 0,
      message: faults.length === 0
        ? `Made-up addresses are answered with ${statusesOf(places)}, and ${counted(pages.length, "page")} ${pages.length === 1 ? "is what it says" : "are what they say"}.`
        : faults.slice(0, SUMMED).map(({ message }) => message).join(" "),
      proof: faults[0]?.proof ?? first
    }
    return {
      facts: {
        dishonest_canaries: dishonest.length,
        soft_errors: softPages.length + new Set(softTwins.map(({ url }) => url)).size,
        login_walls: walls.length,
        pages: pages.length,
        detoured: ratio(detours.length, fetched.length),
        scripted_start: startedByScript !== undefined,
        scripted: ratio(scripted.length, pages.length)
      },
      findings: [summary, ...(faults.length > 1 ? faults : [])] as const
    }
  })
})

/** The page lies on another host than the audited one, of this site or of another. */
const leftHost = ({ exchange }: Visit, origin: string): boolean =>
  exchange.redirects.length > 0 && (isAnswer(exchange) || exchange.kind === "off_site") &&
  new URL(exchange.url).hostname !== new URL(origin).hostname

const fault = (message: string, proof: Exchange): Finding => ({ good: false, message, proof })

/** All of them are one fault. */
const dishonestFinding = (dishonest: ReadonlyArray<CanaryPlace>, asked: number): ReadonlyArray<Finding> => {
  const [first] = dishonest
  if (first === undefined) return []
  const answer = isAnswer(first.exchange) ? `with ${first.exchange.status}` : "with a redirect off the site"
  return [fault(`${dishonest.length} of ${asked} addresses that do not exist are answered ${answer}, such as ${pathShown(first.url)}.`, first.exchange)]
}

const detourShown = ({ candidate, exchange }: Visit, origin: string): string => {
  const target = new URL(exchange.url)
  return target.hostname === new URL(origin).hostname
    ? `${pathShown(candidate.url)} takes ${exchange.redirects.length} redirects, to ${pathShown(exchange.url)}.`
    : `${pathShown(candidate.url)} leads to another host, ${target.host}.`
}

const redirectShown = (kind: string | undefined): string => (kind === "meta" ? "meta refresh" : "script")

const statusesOf = (places: ReadonlyArray<CanaryPlace>): string =>
  [...new Set(places.flatMap(({ exchange }) => (isAnswer(exchange) ? [String(exchange.status)] : [])))].sort().join(" and ")
