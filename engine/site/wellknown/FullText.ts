import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { type BaseAddress, derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { below } from "../../evidence/Address.ts"
import { asDocument } from "../../evidence/Collector.ts"
import { type Answer, type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { markdownText } from "../../page/markdown/MarkdownInline.ts"
import { type FileVerdict, fileVerdict, isMissingFile, type NotFoundProbe } from "./FileVerdict.ts"
import type { LlmsLink, LlmsTxt } from "./LlmsTxt.ts"
import { isMarkdownUrl, withoutMarkdownEnding } from "../../text/UrlPath.ts"

/** Files that hold the text of many pages. */
export interface FullText {
  /** Everything that was asked, in order: `llms-full.txt` at `R` and `B`, then links of llms.txt or, failing both, `llms-ctx-full.txt`. */
  readonly attempts: ReadonlyArray<FullTextAttempt>
  /** Those that are there, more than 1 KB and not HTML, each text once; in the order of the attempts. */
  readonly files: ReadonlyArray<FullTextFile>
  /** Missing responses: each may be such a file, or, of llms.txt, name one. */
  readonly missing: ReadonlyArray<Exchange>
}

export interface FullTextAttempt {
  readonly url: string
  /** A well-known name at `R` or `B`, or a file that llms.txt links to. */
  readonly source: "well_known" | "llms_txt"
  readonly exchange: Exchange
  readonly verdict: FileVerdict | "small"
}

export interface FullTextFile {
  /** The URL that answered. */
  readonly url: string
  readonly source: FullTextAttempt["source"]
  readonly answer: Answer
  /** The decoded body; of a longer one what is read. */
  readonly text: string
  /** Longer than 5,000,000 characters: `text` ends with the last line before that. */
  readonly textCut: boolean
}

/** A1 and A2 speak of kilobytes of 1 024 bytes. */
const SMALL_BYTES = 1_024
const LINKED_FILES = 2

/** Of a full text this much is read, in characters: for real ones that takes half a second. */
const FULL_TEXT_CHARACTERS = 5_000_000

const WELL_KNOWN = "llms-full.txt"
/** What the tool of llmstxt.org makes; hardly anyone publishes it, so it is asked for last. */
const CONTEXT_FILE = "llms-ctx-full.txt"

/** A file's name says that it may hold everything: `docs-full`, `acme-llms-ctx`, `all`. One thing that is full (`full-example`) is not. */
const FULL_NAME =
  /^(?:.{0,80}llms|docs?|documentation|content|api|site)?[-_.]?(?:full|complete|ctx|all|all-in-one)(?:[-_.](?:docs?|documentation|text|content|site))?$/i

/** Names that a page about one thing may have, too: /promise/all.md, /uploads/complete.md, /deploy/all-in-one.md. */
const BARE_NAME = /^[-_.]?(?:full|complete|ctx|all|(all-in-one))$/i

/** A link's text says so. */
const FULL_TEXT =
  /\b(?:full|complete|entire|whole)\s+(?:docs?|documentation|content|manual|llms)\b|\bfull\s+text\b(?!\s+(?:search|index|quer))/i

/** Says so only of the documentation: executables come in a single file, and containers all in one. */
const ONE_FILE = /\ball[- ]in[- ]one\b|\b(?:single|one)[- ]file\b/i
const DOCUMENTATION = /\b(?:docs?|documentation|manual|everything|full\s+text|all\s+pages)\b/i

/** Where a file of that name is looked for: at `R` and `B`, each URL once. */
const addressesOf = (base: BaseAddress, name: string): ReadonlyArray<string> => [
  ...new Set([below(base.origin, name), below(base.folder, name)])
]

/** The link leads to a text file on the site that, by its name or by its text, holds all of the documentation. */
const namesFullText = (base: BaseAddress, link: LlmsLink): boolean => {
  if (!link.onSite || link.url === null) return false
  const name = new URL(link.url).pathname.split("/").at(-1) ?? ""
  const stem = withoutMarkdownEnding(name).replace(/\.txt$/i, "")
  if (stem === name || name === "llms.txt") return false
  const speaksOfDocumentation = DOCUMENTATION.test(link.text)
  if (FULL_TEXT.test(link.text) || (speaksOfDocumentation && ONE_FILE.test(link.text))) return true
  return FULL_NAME.test(stem) && (speaksOfDocumentation || !isPageName(base, link.url, stem))
}

/** The name may be that of a page about one thing. Pages are Markdown files, and not often at the top of the site. */
const isPageName = (base: BaseAddress, url: string, stem: string): boolean => {
  const bare = BARE_NAME.exec(stem)
  if (bare === null || !isMarkdownUrl(url)) return false
  return bare[1] !== undefined || ![below(base.origin, ""), base.folder].includes(new URL(".", url).href)
}

/**
 * Asks for the well-known files; then for those that llms.txt names; and for the context file where there was neither.
 */
export const gatherFullText = Effect.fn("FullText.gather")(function* (
  context: GatherContext,
  { notFoundProbe, llmsTxt }: Using<{ notFoundProbe: NotFoundProbe; llmsTxt: LlmsTxt }>
): Effect.fn.Return<FullText> {
  const full = addressesOf(context.base, WELL_KNOWN)
  const contextFiles = addressesOf(context.base, CONTEXT_FILE)
  const attempt = (urls: ReadonlyArray<string>) =>
    Effect.map(Effect.all([getAll(context, urls), notFoundProbe], { concurrency: 2 }), ([exchanges, known]) =>
      exchanges.map((exchange) =>
        attemptOf(known, [...full, ...contextFiles].includes(exchange.asked.url) ? "well_known" : "llms_txt", exchange)
      )
    )
  const [first, llms] = yield* Effect.all([attempt(full), llmsTxt], { concurrency: 2 })
  const linked = linkedAddresses(context.base, llms, full)
  const found = first.some(({ verdict }) => verdict === "found")
  const attempts = [...first, ...(yield* attempt(linked.length === 0 && !found ? contextFiles : linked))]
  const known = yield* notFoundProbe
  const missing = [
    ...attempts.map(({ exchange }) => exchange).filter((exchange) => isMissingFile(known, exchange)),
    ...llms.missing
  ]
  return { attempts, files: filesOf(attempts), missing }
})

export const fullText = derivation({
  name: "full-text",
  // `llms-full.txt` at two places (2), then two files that llms.txt names, or the context file at two places (2).
  budget: { requests: 2 + LINKED_FILES, megabytes: 7 },
  rank: RANK.shared,
  early: ({ base }) => addressesOf(base, WELL_KNOWN).map(asDocument),
  gather: gatherFullText
})

const getAll = (context: GatherContext, urls: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Exchange>> =>
  urls.length === 0 ? Effect.succeed([]) : context.collector.getAll(urls.map(asDocument))

const linkedAddresses = (base: BaseAddress, llms: LlmsTxt, asked: ReadonlyArray<string>): ReadonlyArray<string> => {
  const files = llms.file === null ? [] : [llms.file, ...llms.nested]
  const urls = files.flatMap(({ links }) =>
    links.flatMap((link) => (link.url !== null && namesFullText(base, link) ? [link.url] : []))
  )
  return [...new Set(urls)].filter((url) => !asked.includes(url)).slice(0, LINKED_FILES)
}

const attemptOf = (
  notFoundProbe: NotFoundProbe,
  source: FullTextAttempt["source"],
  exchange: Exchange
): FullTextAttempt => ({ url: exchange.asked.url, source, exchange, verdict: verdictOf(notFoundProbe, exchange) })

const verdictOf = (notFoundProbe: NotFoundProbe, exchange: Exchange): FullTextAttempt["verdict"] => {
  const verdict = fileVerdict(notFoundProbe, exchange, "text")
  return verdict === "found" && isAnswer(exchange) && exchange.body.length <= SMALL_BYTES ? "small" : verdict
}

/** The same file often answers at several URLs. */
const filesOf = (attempts: ReadonlyArray<FullTextAttempt>): ReadonlyArray<FullTextFile> => {
  const texts = new Map<string, FullTextFile>()
  for (const { exchange, source, verdict } of attempts) {
    if (verdict !== "found" || !isAnswer(exchange)) continue
    const { text } = textOf(exchange)
    if (texts.has(text)) continue
    const beginning = markdownText(text, FULL_TEXT_CHARACTERS)
    texts.set(text, { url: exchange.url, source, answer: exchange, text: beginning.text, textCut: beginning.cut })
  }
  return [...texts.values()]
}
