import * as Effect from "effect/Effect"
import { type Answer, type Exchange, isAnswer } from "../evidence/Exchange.ts"
import { textOf } from "../evidence/Text.ts"
import type { Canary } from "./Canary.ts"
import type { Gathering } from "./Gathering.ts"
import type { LlmsTxt } from "./LlmsTxt.ts"
import { type JudgedMarkdown, judgeMarkdown, type MarkdownVerdict } from "./Markdown.ts"
import { type MarkdownDocument, readMarkdown } from "./MarkdownReader.ts"
import type { Page } from "./Page.ts"
import type { Sample } from "./Sample.ts"
import { formsAt, TWIN_FORMS, type TwinForm } from "./TwinAddress.ts"
import { declaredGuesses, guessesFor, likelyGuesses, thoroughGuesses, type TwinGuess } from "./TwinGuess.ts"

/** The Markdown versions of the pages of the sample. */
export interface Twins {
  /** One for each page of the sample, in its order. */
  readonly pages: ReadonlyArray<PageTwin>
  /** The forms in which Markdown versions were found, the most frequent first; empty where none was. */
  readonly learnt: ReadonlyArray<TwinForm>
}

export interface PageTwin {
  readonly page: Page
  readonly twin: Twin | null
  /** What was asked for this page, in order. */
  readonly attempts: ReadonlyArray<TwinAttempt>
}

export interface Twin {
  /** The address that answered. */
  readonly url: string
  /** `self`: the page is served as Markdown itself. `declared`: by the page or by llms.txt. */
  readonly how: "self" | "declared" | TwinForm
  readonly answer: Answer
  readonly text: string
  /** Reads it, unless it was read to judge it: few twins are looked into. */
  readonly document: () => MarkdownDocument
}

export interface TwinAttempt {
  readonly url: string
  readonly how: "declared" | TwinForm
  readonly exchange: Exchange
  /** `taken`: the same text is the twin of a page before this one. */
  readonly verdict: MarkdownVerdict | "taken"
}

/** Pages whose Markdown lies elsewhere take one form or two, by whether they are folders or files. */
const LEARNT_FORMS = 2

interface Attempt extends TwinGuess, JudgedMarkdown {}

/**
 * Asks for the addresses that pages and llms.txt declare, and learns on four of the other pages where Markdown lies:
 * in the likely form first, in all forms where that taught nothing. Then asks for the pages that are left in the forms
 * that were learnt.
 */
export const gatherTwins = Effect.fn("Twins.gather")(function*(
  gathering: Gathering,
  sample: Sample,
  llmsTxt: LlmsTxt,
  canary: Canary
): Effect.fn.Return<Twins> {
  const selves = new Map(sample.pages.filter(isMarkdownItself).map((page) => [page, selfTwin(page)]))
  const others = sample.pages.filter((page) => !selves.has(page))
  const declared = declaredGuesses(gathering.base.site, others, llmsTxt)
  const [first, second] = firstOfEach(declared)
  const undeclared = others.filter((page) => !declared.some((guess) => guess.page === page))
  const attempts = [...(yield* attempt(gathering, canary, [...first, ...likelyGuesses(undeclared, declared)]))]
  const tryRest = Effect.fnUntraced(function*(guesses: (needy: ReadonlyArray<Page>) => ReadonlyArray<TwinGuess>) {
    const needy = assign(sample.pages, selves, attempts).filter(({ twin }) => twin === null).map(({ page }) => page)
    attempts.push(...(yield* attempt(gathering, canary, untried(guesses(needy), attempts))))
  })
  yield* tryRest((needy) => second.filter(({ page }) => needy.includes(page)))
  if (learntForms(attempts).length === 0) yield* tryRest(thoroughGuesses)
  const learnt = learntForms(attempts)
  for (const form of learnt.slice(0, LEARNT_FORMS)) yield* tryRest((needy) => needy.flatMap((page) => guessesFor(page, [form])))
  return { pages: assign(sample.pages, selves, attempts), learnt }
})

const isMarkdownItself = (page: Page): boolean => page.format === "markdown" && !page.saysNotFound

/** The first guess of each page, and the others. */
const firstOfEach = (guesses: ReadonlyArray<TwinGuess>): readonly [ReadonlyArray<TwinGuess>, ReadonlyArray<TwinGuess>] => {
  const isFirst = (guess: TwinGuess) => guesses.find(({ page }) => page === guess.page) === guess
  return [guesses.filter(isFirst), guesses.filter((guess) => !isFirst(guess))]
}

const attempt = (gathering: Gathering, canary: Canary, guesses: ReadonlyArray<TwinGuess>): Effect.Effect<ReadonlyArray<Attempt>> =>
  guesses.length === 0 ? Effect.succeed([]) : Effect.map(gathering.collector.getAll(guesses.map(({ url }) => url)), (exchanges) =>
    guesses.flatMap((guess, index): ReadonlyArray<Attempt> => {
      const exchange = exchanges[index]
      return exchange === undefined ? [] : [{ ...guess, ...judgeMarkdown(guess.page, canary, exchange) }]
    }))

/** The forms of the addresses, declared or guessed, that hold Markdown; the most frequent first. */
const learntForms = (attempts: ReadonlyArray<Attempt>): ReadonlyArray<TwinForm> => {
  const forms = attempts.flatMap(({ verdict, page, url }) => (verdict === "markdown" ? formsAt(page.url, url) : []))
  const frequency = (form: TwinForm) => forms.filter((other) => other === form).length
  return TWIN_FORMS.filter((form) => frequency(form) > 0).toSorted((one, other) => frequency(other) - frequency(one))
}

/** Guesses that were not tried for their pages. */
const untried = (guesses: ReadonlyArray<TwinGuess>, attempts: ReadonlyArray<Attempt>): ReadonlyArray<TwinGuess> =>
  guesses.filter((guess) => !attempts.some(({ page, url }) => page === guess.page && url === guess.url))

/** Gives each page, in order, the first Markdown that is not the twin of a page before it. */
const assign = (
  pages: ReadonlyArray<Page>,
  selves: ReadonlyMap<Page, Twin>,
  attempts: ReadonlyArray<Attempt>
): ReadonlyArray<PageTwin> => {
  const taken = new Set<string>()
  return pages.map((page) => {
    const own = attempts.filter((tried) => tried.page === page)
    const free = own.map((tried) => ({ ...tried, free: !taken.has(tried.text) }))
    const twin = selves.get(page) ?? free.flatMap((tried) => (tried.free ? twinOf(tried) : []))[0] ?? null
    if (twin !== null) taken.add(twin.text)
    return {
      page,
      twin,
      attempts: free.map(({ url, how, exchange, verdict, free }): TwinAttempt =>
        ({ url, how, exchange, verdict: verdict === "markdown" && !free ? "taken" : verdict }))
    }
  })
}

const twinOf = ({ how, exchange, text, document }: Attempt): ReadonlyArray<Twin> =>
  document === null || !isAnswer(exchange) ? [] : [{ url: exchange.url, how, answer: exchange, text, document: () => document }]

const selfTwin = (page: Page): Twin => {
  const { text } = textOf(page.answer)
  return { url: page.url, how: "self", answer: page.answer, text, document: () => readMarkdown(text) }
}
