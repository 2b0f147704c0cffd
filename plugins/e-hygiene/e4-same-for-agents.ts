import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, flag, ratio, share } from "../../engine/criterion/Fact.ts"
import { enumerated, percent, someOf } from "../../engine/criterion/Wording.ts"
import { type Answer, header, isAnswer } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/site/Page.ts"
import { OPENING_PAGES } from "../../engine/site/Sample.ts"

/** One page as each of our two agents got it. */
interface Pair {
  readonly own: Page
  readonly answer: Answer
  /** The share of main content that both have, 0 to 1. */
  readonly likeness: number
}

/** E4: do agents get what browsers get, and can both fetch it again cheaply? */
export const e4SameForAgents = define({
  id: "e4-same-for-agents",
  revision: 1,
  params: Schema.Struct({ pages: Schema.Int, max_age: Schema.Int, compress_over: Schema.Int }),
  facts: {
    compared: count("pages that answered both of our User-Agents"),
    same_status: share("of those, answered with the same status"),
    likeness: share("the least share of main content that both got, of all compared pages"),
    revalidating: flag("every compared page has an ETag, Last-Modified or a max-age within max_age seconds"),
    https: flag("every compared page came over https"),
    charset: flag("every compared page declares its charset"),
    compressed: flag("every compared body over compress_over bytes came compressed")
  },
  measure: Effect.fn("e4-same-for-agents")(function*(site, params) {
    const known = params.pages <= OPENING_PAGES ? yield* site.opening : (yield* site.sample).pages
    const pages = known.slice(0, params.pages)
    const exchanges = yield* site.getAll(pages.map((page) => ({ url: page.url, agent: "browser" })))
    const pairs = yield* Effect.forEach(pages, Effect.fnUntraced(function*(own, index): Effect.fn.Return<ReadonlyArray<Pair>> {
      const answer = exchanges[index]
      if (answer === undefined || !isAnswer(answer)) return []
      return [{ own, answer, likeness: readsTheSame(own.answer, answer) ? 1 : likeness(own, yield* site.read(answer)) }]
    })).pipe(Effect.map((found) => found.flat()))
    const [first] = pairs
    if (first === undefined) {
      return yield* new Unobtainable({ message: "No page answered both User-Agents.", exchange: exchanges[0] ?? site.base.exchange })
    }
    const answers = pairs.map(({ own }) => own.answer)
    const different = pairs.filter(({ answer, own }) => answer.status !== own.answer.status)
    const least = Math.min(...pairs.map((pair) => pair.likeness))
    const traits = [
      trait("a validator or a short max-age", answers, (answer) => revalidates(answer, params.max_age)),
      trait("https", answers, (answer) => answer.url.startsWith("https:")),
      trait("a declared charset", answers, (answer) => pairs.some(({ own }) => own.answer === answer && own.charset.declaredBy !== "none")),
      trait("compression of large bodies", answers, (answer) => isCompressed(answer, params.compress_over))
    ] as const
    const [revalidating, https, charset, compressed] = traits
    const same = different.length === 0 && least >= 0.95
    const summary: Finding = {
      good: same && traits.every(({ met }) => met),
      message: `${sameness(pairs.length, different.length, least)}${lackingShown(traits.filter(({ met }) => !met).map(({ name }) => name))}`,
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
        compressed: compressed.met
      },
      findings: [summary, ...traits.flatMap(({ findings }) => findings)] as const
    }
  })
})

/** Whether all answers have a trait, and the first that has it not. */
const trait = (name: string, answers: ReadonlyArray<Answer>, holds: (answer: Answer) => boolean) => {
  const lacking = answers.filter((answer) => !holds(answer))
  const message = `${someOf(answers.length - lacking.length, answers.length, "page")} came with ${name}.`
  const findings = lacking.slice(0, 1).map((proof): Finding => ({ good: false, message, proof }))
  return { name, met: lacking.length === 0, findings }
}

/** How alike the answers to both agents were. */
const sameness = (compared: number, different: number, likeness: number): string => {
  const pages = `${someOf(compared, compared, "compared page")} ${compared === 1 ? "answers" : "answer"}`
  if (different > 0) return `${someOf(different, compared, "compared page")} ${compared === 1 ? "answers" : "answer"} a browser with another status.`
  return `${pages} agents and browsers with the same status and ${likeness === 1 ? "the same" : `${percent(likeness)} or more of the`} content.`
}

const lackingShown = (names: ReadonlyArray<string>): string => (names.length === 0 ? "" : ` Some lack ${enumerated(names)}.`)

const revalidates = (answer: Answer, maxAge: number): boolean => {
  if (header(answer, "etag") !== null || header(answer, "last-modified") !== null) return true
  const age = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(header(answer, "cache-control") ?? "")?.[1]
  return age !== undefined && Number(age) <= maxAge
}

const isCompressed = (answer: Answer, over: number): boolean =>
  answer.body.length <= over || !["", "identity"].includes((header(answer, "content-encoding") ?? "").trim().toLowerCase())

/** The same bytes in the same charset need not be read again. */
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
