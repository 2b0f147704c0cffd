import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { type Answer, type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import type { NotFoundProbe } from "../wellknown/FileVerdict.ts"
import type { LlmsTxt } from "../wellknown/LlmsTxt.ts"
import { type JudgedMarkdown, judgeMarkdown, type MarkdownVerdict } from "./Negotiation.ts"
import { type MarkdownDocument, readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import type { Page } from "../../page/Page.ts"
import type { Sample } from "../sample/Sample.ts"
import {
  declaredGuesses,
  formsAt,
  guessesFor,
  LEARNERS,
  learnersAmong,
  likelyGuesses,
  shapeOf,
  thoroughGuesses,
  VERSION_FORMS,
  type VersionForm,
  type VersionGuess
} from "./VersionForm.ts"

/** The Markdown versions of the pages of the sample. */
export interface MarkdownVersions {
  /** One for each page of the sample, in its order. */
  readonly pages: ReadonlyArray<VersionedPage>
  /** The forms in which Markdown versions were found, the most frequent first; empty where none was. */
  readonly learnt: ReadonlyArray<VersionForm>
}

export interface VersionedPage {
  readonly page: Page
  readonly version: FoundVersion | null
  /** What was asked for this page, in order. */
  readonly attempts: ReadonlyArray<VersionAttempt>
}

export interface FoundVersion {
  /** The URL that answered. */
  readonly url: string
  /** `self`: the page is served as Markdown itself. `declared`: by the page or by llms.txt. */
  readonly how: "self" | "declared" | VersionForm
  readonly answer: Answer
  readonly text: string
  /** Parses the document on first use, since few Markdown versions are looked into. */
  readonly document: () => MarkdownDocument
}

export interface VersionAttempt {
  readonly url: string
  readonly how: "declared" | VersionForm
  readonly exchange: Exchange
  /** `taken`: the same text is the Markdown version of a page before this one. */
  readonly verdict: MarkdownVerdict | "taken"
}

/** A site uses at most two forms of Markdown URLs: one for folders and one for files. */
const LEARNT_FORMS = 2

interface Attempt extends VersionGuess, JudgedMarkdown {}

/**
 * Requests the URLs that pages and llms.txt declare, and learns the forms of Markdown URLs on some of the pages that declare none, or
 * a dead one: in the likely form first, and in all forms where that finds none for pages of their shape. Then requests the remaining
 * pages in the forms that pages of their shape have.
 */
export const gatherMarkdownVersions = Effect.fn("MarkdownVersions.gather")(function* (
  context: GatherContext,
  sample: Sample,
  llmsTxt: LlmsTxt,
  notFoundProbe: NotFoundProbe
): Effect.fn.Return<MarkdownVersions> {
  const selves = new Map(sample.pages.filter(isMarkdownItself).map((page) => [page, ownVersion(page)]))
  const others = sample.pages.filter((page) => !selves.has(page))
  const declared = declaredGuesses(context.base.site, others, llmsTxt)
  const [first, second] = firstOfEach(declared)
  const undeclared = others.filter((page) => !declared.some((guess) => guess.page === page))
  // Where all pages declare a version, and those that do so in vain are many, these are learnt from.
  const learners = learnersAmong(undeclared.length > 0 ? undeclared : others)
  const attempts: Array<Attempt> = []
  const tryAll = Effect.fnUntraced(function* (guesses: ReadonlyArray<VersionGuess>) {
    attempts.push(
      ...(yield* attempt(context, notFoundProbe, affordable(untried(guesses, attempts), attempts, learners)))
    )
    return assign(sample.pages, selves, attempts).flatMap(({ page, version }) => (version === null ? [page] : []))
  })
  const likely = undeclared.length > 0 ? likelyGuesses(learners, declared) : []
  const afterFirst = yield* tryAll([...first, ...likely])
  const afterDeclared = yield* tryAll(second.filter(({ page }) => afterFirst.includes(page)))
  const untaught = learners.filter(
    (page) => afterDeclared.includes(page) && learntForms(attempts, shapeOf(page)).length === 0
  )
  let needy = yield* tryAll(thoroughGuesses(untaught))
  for (let rank = 0; rank < LEARNT_FORMS; rank++)
    needy = yield* tryAll(needy.flatMap((page) => guessesFor(page, formsFor(attempts, page).slice(rank, rank + 1))))
  return { pages: assign(sample.pages, selves, attempts), learnt: learntForms(attempts) }
})

/** The versions of pages beside the sample: at the URLs that they declare, and in the forms that were learnt on the sample. */
export const gatherFurtherVersions = Effect.fnUntraced(function* (
  context: Pick<GatherContext, "base" | "collector">,
  pages: ReadonlyArray<Page>,
  { learnt }: Pick<MarkdownVersions, "learnt">,
  llmsTxt: LlmsTxt,
  notFoundProbe: NotFoundProbe
): Effect.fn.Return<ReadonlyArray<VersionedPage>> {
  const selves = new Map(pages.filter(isMarkdownItself).map((page) => [page, ownVersion(page)]))
  const others = pages.filter((page) => !selves.has(page))
  const attempts: Array<Attempt> = []
  const rounds = [
    ...firstOfEach(declaredGuesses(context.base.site, others, llmsTxt)),
    ...learnt.slice(0, LEARNT_FORMS).map((form) => others.flatMap((page) => guessesFor(page, [form])))
  ]
  for (const guesses of rounds) {
    const found = new Set(attempts.flatMap(({ page, verdict }) => (verdict === "markdown" ? [page] : [])))
    const needed = untried(guesses, attempts).filter(({ page }) => !found.has(page))
    attempts.push(...(yield* attempt(context, notFoundProbe, affordable(needed, attempts, []))))
  }
  return assign(pages, selves, attempts)
})

/** The most addresses that a page is asked at, and a learner. */
const PER_PAGE = 2
const PER_LEARNER = VERSION_FORMS.length

/** The guesses of pages that were not asked at as many addresses as they may be. */
const affordable = (
  guesses: ReadonlyArray<VersionGuess>,
  attempts: ReadonlyArray<Attempt>,
  learners: ReadonlyArray<Page>
): ReadonlyArray<VersionGuess> => {
  const asked = Map.groupBy(attempts, ({ page }) => page)
  const counts = new Map<Page, number>()
  return guesses.filter(({ page }) => {
    const count = (counts.get(page) ?? asked.get(page)?.length ?? 0) + 1
    counts.set(page, count)
    return count <= (learners.includes(page) ? PER_LEARNER : PER_PAGE)
  })
}

export const markdownVersions = derivation({
  name: "markdown-versions",
  // As many addresses as each page, and each learner, may be asked at.
  budget: (sampleSize) => ({ requests: PER_PAGE * sampleSize + (PER_LEARNER - PER_PAGE) * LEARNERS, megabytes: 5 }),
  rank: RANK.shared,
  gather: Effect.fnUntraced(function* (
    context: GatherContext,
    uses: Using<{ notFoundProbe: NotFoundProbe; llmsTxt: LlmsTxt; sample: Sample }>
  ) {
    const [notFoundProbe, llmsTxt, sample] = yield* Effect.all([uses.notFoundProbe, uses.llmsTxt, uses.sample], {
      concurrency: "unbounded"
    })
    return yield* gatherMarkdownVersions(context, sample, llmsTxt, notFoundProbe)
  })
})

const isMarkdownItself = (page: Page): boolean => page.format === "markdown" && !page.saysNotFound

/** The first guess of each page, and the others. */
const firstOfEach = (
  guesses: ReadonlyArray<VersionGuess>
): readonly [ReadonlyArray<VersionGuess>, ReadonlyArray<VersionGuess>] => {
  const isFirst = (guess: VersionGuess) => guesses.find(({ page }) => page === guess.page) === guess
  return [guesses.filter(isFirst), guesses.filter((guess) => !isFirst(guess))]
}

const attempt = (
  { collector }: Pick<GatherContext, "collector">,
  notFoundProbe: NotFoundProbe,
  guesses: ReadonlyArray<VersionGuess>
): Effect.Effect<ReadonlyArray<Attempt>> =>
  guesses.length === 0
    ? Effect.succeed([])
    : Effect.map(collector.getAll(guesses.map(({ url }) => url)), (exchanges) =>
        guesses.flatMap((guess, index): ReadonlyArray<Attempt> => {
          const exchange = exchanges[index]
          return exchange === undefined ? [] : [{ ...guess, ...judgeMarkdown(guess.page, notFoundProbe, exchange) }]
        })
      )

type UrlShape = ReturnType<typeof shapeOf>

/** The forms of the URLs, declared or guessed, that hold Markdown, of pages of one shape or of all; the most frequent first. */
const learntForms = (attempts: ReadonlyArray<Attempt>, shape?: UrlShape): ReadonlyArray<VersionForm> => {
  const forms = attempts.flatMap(({ verdict, page, url }) =>
    verdict === "markdown" && (shape === undefined || shapeOf(page) === shape) ? formsAt(page.url, url) : []
  )
  const frequency = (form: VersionForm) => forms.filter((other) => other === form).length
  return VERSION_FORMS.filter((form) => frequency(form) > 0).toSorted((one, other) => frequency(other) - frequency(one))
}

/** The forms to try for a page: those of pages of its shape, then those of others. */
const formsFor = (attempts: ReadonlyArray<Attempt>, page: Page): ReadonlyArray<VersionForm> => [
  ...new Set([...learntForms(attempts, shapeOf(page)), ...learntForms(attempts)])
]

/** Guesses that were not tried for their pages. */
const untried = (guesses: ReadonlyArray<VersionGuess>, attempts: ReadonlyArray<Attempt>): ReadonlyArray<VersionGuess> =>
  guesses.filter((guess) => !attempts.some(({ page, url }) => page === guess.page && url === guess.url))

/** Gives each page, in order, the first Markdown that is not the version of a page before it. */
const assign = (
  pages: ReadonlyArray<Page>,
  selves: ReadonlyMap<Page, FoundVersion>,
  attempts: ReadonlyArray<Attempt>
): ReadonlyArray<VersionedPage> => {
  const taken = new Set<string>()
  return pages.map((page) => {
    const own = attempts.filter((tried) => tried.page === page)
    const free = own.map((tried) => ({ ...tried, free: !taken.has(tried.text) }))
    const version = selves.get(page) ?? free.flatMap((tried) => (tried.free ? versionOf(tried) : []))[0] ?? null
    if (version !== null) taken.add(version.text)
    return {
      page,
      version,
      attempts: free.map(({ url, how, exchange, verdict, free }): VersionAttempt => ({
        url,
        how,
        exchange,
        verdict: verdict === "markdown" && !free ? "taken" : verdict
      }))
    }
  })
}

const versionOf = ({ how, exchange, text, document }: Attempt): ReadonlyArray<FoundVersion> =>
  document === null || !isAnswer(exchange)
    ? []
    : [{ url: exchange.url, how, answer: exchange, text, document: () => document }]

const ownVersion = (page: Page): FoundVersion => {
  const { text } = textOf(page.answer)
  return { url: page.url, how: "self", answer: page.answer, text, document: () => readMarkdown(text) }
}
