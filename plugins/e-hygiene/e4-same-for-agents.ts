import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, EITHER, flag, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { knownSample } from "../../engine/plugin/SampledPages.ts"
import { enumerated, pathShown, percent, someOf } from "../../engine/plugin/Wording.ts"
import { type Answer, type Exchange, header, isAnswer, isMissing, isRefusal } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import type { Site } from "../../engine/site/Site.ts"
import { missingAmong, OPENING_PAGES } from "../../engine/site/sample/Sample.ts"
import { deadEnd, deadEndFact, leadBy, startWays } from "../ways/StartWays.ts"

/** The rubric's threshold for the same content, for the findings. */
const SAME = 0.95

/** One URL as fetched with each of our two User-Agents. */
interface Pair {
  readonly own: Answer
  /** `null` if our own User-Agent is refused. */
  readonly page: Page | null
  readonly answer: Answer
  /** The share of main content that both have, 0 to 1. */
  readonly likeness: number
}

/** E4: agents get what browsers get, and both can fetch it again cheaply. */
export const e4SameForAgents = define({
  id: "e4-same-for-agents",
  revision: 3,
  budget: { requests: 6, megabytes: 4 },
  needsServer: true,
  params: Schema.Struct({ pages: Schema.Int, max_age: Schema.Int, compress_over: Schema.Int }),
  facts: {
    compared: count("pages that answered both of our User-Agents, if only with a refusal"),
    same_status: share("of those, pages with the same status for both"),
    likeness: share("share of main content that is the same for both, on the page where it is lowest"),
    revalidating: flag("every compared page has an ETag, Last-Modified or a max-age of at most `max_age` seconds"),
    https: flag("every compared page was served over https"),
    charset: flag("every compared page declares its charset"),
    compressed: flag("every compared body over `compress_over` bytes was compressed"),
    dead_end: deadEndFact
  },
  measure: Effect.fn("e4-same-for-agents")(function* (site, params) {
    const known = params.pages <= OPENING_PAGES ? yield* site.opening : (yield* site.sample).pages
    const pages = known.slice(0, params.pages)
    const exchanges = yield* site.getAll(pages.map((page) => ({ url: page.url, agent: "browser" })))
    const missingBase = [...(yield* missingBefore(site, pages, params.pages)), ...exchanges.filter(isMissing)]
    const readable = yield* Effect.forEach(
      pages,
      Effect.fnUntraced(function* (own, index): Effect.fn.Return<ReadonlyArray<Pair>> {
        const answer = exchanges[index]
        if (answer === undefined || !isAnswer(answer) || isMissing(answer) || own.challenge !== null) return []
        return [
          {
            own: own.answer,
            page: own,
            answer,
            likeness: readsTheSame(own.answer, answer) ? 1 : likeness(own, yield* site.read(answer))
          }
        ]
      })
    ).pipe(Effect.map((found) => found.flat()))
    const refusals = yield* refusedPairs(site, params.pages)
    const missing = [...missingBase, ...refusals.missing]
    const pairs = [...readable, ...refusals.pairs]
    const [first] = readable
    if (first === undefined) {
      return yield* new Unobtainable({
        message: "No page answered both of our User-Agents.",
        exchange: exchanges[0] ?? site.base.exchange
      })
    }
    const answers = readable.map(({ own }) => own)
    const different = pairs.filter(({ answer, own }) => answer.status !== own.status)
    const least = Math.min(...pairs.map((pair) => pair.likeness))
    const traits = [
      trait("an ETag or Last-Modified header", answers, (answer) => revalidates(answer, params.max_age)),
      trait("https", answers, (answer) => answer.url.startsWith("https:")),
      trait("a declared charset", answers, (answer) =>
        readable.some(({ own, page }) => own === answer && page?.charset.declaredBy !== "none")
      ),
      trait("compression", answers, (answer) => isCompressed(answer, params.compress_over))
    ] as const
    const [revalidating, https, charset, compressed] = traits
    const same = different.length === 0 && least >= SAME
    const way = yield* startWays(site)
    const end = deadEnd(way)
    const summary: Finding = {
      good: same && !end.dead_end && traits.every(({ met }) => met),
      message: `${sameness(pairs.length, different.length, least)}${lackingShown(traits, answers.length)}`,
      proof: (different[0] ?? pairs.find((pair) => pair.likeness === least) ?? first).answer
    }
    return {
      facts: {
        compared: pairs.length,
        same_status: ratio(pairs.length - different.length, pairs.length),
        likeness: ratio(least, 1),
        revalidating: revalidating.met,
        https: https.met,
        charset: charset.met,
        compressed: compressed.met,
        dead_end: end.dead_end
      },
      uncertain:
        missing.length === 0
          ? { dead_end: end.uncertain }
          : {
              dead_end: end.uncertain,
              compared: between(pairs.length, pairs.length + missing.length),
              same_status: shareBetween(pairs.length - different.length, pairs.length, missing.length),
              likeness: between(0, ratio(least, 1)),
              revalidating: revalidating.met ? EITHER : undefined,
              https: https.met ? EITHER : undefined,
              charset: charset.met ? EITHER : undefined,
              compressed: compressed.met ? EITHER : undefined
            },
      unanswered: [...missing, ...way.missing],
      findings: leadBy(end.findings, [summary, ...traits.flatMap(({ findings }) => findings)])
    }
  })
})

/** Pages that refuse our own User-Agent: whether they refuse browsers, too. */
const refusedPairs = Effect.fnUntraced(function* (
  site: Site,
  most: number
): Effect.fn.Return<{ readonly pairs: ReadonlyArray<Pair>; readonly missing: ReadonlyArray<Exchange> }> {
  const { visits } = yield* site.sample
  const refused = visits.flatMap(({ exchange }) => (isRefusal(exchange) ? [exchange] : [])).slice(0, most)
  const exchanges = yield* site.getAll(refused.map((own) => ({ url: own.asked.url, agent: "browser" })))
  const pairs = refused.flatMap((own, index): ReadonlyArray<Pair> => {
    const answer = exchanges[index]
    if (answer === undefined || !isAnswer(answer) || isMissing(answer)) return []
    return [{ own, page: null, answer, likeness: answer.status === own.status ? 1 : 0 }]
  })
  return { pairs, missing: exchanges.filter(isMissing) }
})

/** Missing responses to pages of the sample that would have been compared: all if these are fewer than wanted, else those before the last of these. */
const missingBefore = Effect.fnUntraced(function* (
  site: Site,
  pages: ReadonlyArray<Page>,
  wanted: number
): Effect.fn.Return<ReadonlyArray<Exchange>, Unobtainable> {
  const { visits } = yield* knownSample(site)
  const last = pages.at(-1)
  const end = visits.findIndex(({ page }) => page === last)
  return missingAmong(end === -1 || pages.length < wanted ? visits : visits.slice(0, end + 1))
})

/** Whether all answers have a trait, and those that lack it. */
const trait = (name: string, answers: ReadonlyArray<Answer>, holds: (answer: Answer) => boolean) => {
  const lacking = answers.filter((answer) => !holds(answer))
  const findings = lacking.map((proof): Finding => ({
    good: false,
    message: `${pathShown(proof.url)} lacks ${name}.`,
    proof
  }))
  return { name, lacking: lacking.length, met: lacking.length === 0, findings }
}

const sameness = (compared: number, different: number, likeness: number): string => {
  const page = ["compared page", "compared pages"] as const
  if (different > 0)
    return `${someOf(different, compared, page, ["returns", "return"])} one status to a browser and another to docgauge's own User-Agent.`
  return `${someOf(compared, compared, page, ["returns", "return"])} the same status${likeness === 1 ? " and content" : ""} to both User-Agents that we compared, docgauge's own and a browser's${likeness === 1 ? "" : likeness >= SAME ? `, and at least ${percent(likeness)} of the content is the same` : `, but as little as ${percent(likeness)} of the content is the same`}.`
}

const lackingShown = (
  traits: ReadonlyArray<{ readonly lacking: number; readonly name: string }>,
  pages: number
): string => {
  const missing = traits
    .filter(({ lacking }) => lacking > 0)
    .map(({ lacking, name }) =>
      pages === 1 ? name : `${name} (${lacking === pages ? "all" : `${lacking} of`} ${pages} pages)`
    )
  return missing.length === 0 ? "" : ` Missing: ${enumerated(missing)}.`
}

const revalidates = (answer: Answer, maxAge: number): boolean => {
  if (header(answer, "etag") !== null || header(answer, "last-modified") !== null) return true
  const age = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(header(answer, "cache-control") ?? "")?.[1]
  return age !== undefined && Number(age) <= maxAge
}

const isCompressed = (answer: Answer, over: number): boolean =>
  answer.body.length <= over ||
  !["", "identity"].includes((header(answer, "content-encoding") ?? "").trim().toLowerCase())

/** The same bytes with the same Content-Type give the same page. */
const readsTheSame = (one: Answer, other: Answer): boolean =>
  header(one, "content-type") === header(other, "content-type") && Buffer.compare(one.body, other.body) === 0

/** The characters of segments that both pages have, of those that either has; 1 where neither has any. */
const likeness = (own: Page, other: Page): number => {
  const lengths = (page: Page) => page.main.segments.reduce((sum, segment) => sum + segment.length, 0)
  const remaining = new Map<string, number>()
  for (const segment of own.main.segments) remaining.set(segment, (remaining.get(segment) ?? 0) + 1)
  let shared = 0
  for (const segment of other.main.segments) {
    const left = remaining.get(segment) ?? 0
    if (left > 0) {
      remaining.set(segment, left - 1)
      shared += segment.length
    }
  }
  const most = Math.max(lengths(own), lengths(other))
  return most === 0 ? 1 : shared / most
}
