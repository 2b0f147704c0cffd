import * as Effect from "effect/Effect"
import { RANK } from "../../evidence/AuditBudget.ts"
import { type Base, type BaseAddress, derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import { below, onSite } from "../../evidence/Address.ts"
import { type Answer, type Exchange, isAnswer } from "../../evidence/Exchange.ts"
import { textOf } from "../../evidence/BodyText.ts"
import { type FileVerdict, fileVerdict, isMissingFile, type NotFoundProbe } from "./FileVerdict.ts"
import { isMarkdownUrl } from "../../text/UrlPath.ts"
import {
  type LlmsDocument,
  type LlmsReference,
  LLMS_CHARACTERS,
  parseLlmsTxt
} from "../../page/markdown/LlmsDocument.ts"

/** The site's llms.txt: where it was looked for, and what was found. */
export interface LlmsTxt {
  /** `R/llms.txt`, `B/llms.txt`, `R/docs/llms.txt` and the one that the base page names, each URL once. */
  readonly candidates: ReadonlyArray<LlmsCandidate>
  /**
   * The candidates as llms.txt v2 prefers them: the one that the base page names (`rel="describedby"`, else `rel="index"`), then those
   * that cover `B`, the nearest folder above it first, then the others.
   */
  readonly preferred: ReadonlyArray<LlmsCandidate>
  /** The first of these with an H1; failing that, the first that is there at all. */
  readonly file: LlmsFile | null
  /**
   * Further llms.txt files, each text once: the other candidates that are there, then files of that name on the site
   * that `file` links to, at most 4 with the one that the base page names, in the order of the links. What those link to is not followed further.
   */
  readonly nested: ReadonlyArray<LlmsFile>
  /** Missing responses: each may be such a file. */
  readonly missing: ReadonlyArray<Exchange>
}

export interface LlmsCandidate {
  readonly url: string
  readonly exchange: Exchange
  readonly verdict: FileVerdict
}

export interface LlmsFile {
  /** The URL that answered. */
  readonly url: string
  readonly answer: Answer
  readonly document: LlmsDocument
  /** The document's links, resolved. */
  readonly links: ReadonlyArray<LlmsLink>
  /** URLs of Markdown and text files, resolved: of links, and of what the text names without a link. */
  readonly textFiles: ReadonlySet<string>
}

export interface LlmsLink extends LlmsReference {
  /** The URL to fetch; `null` where it is no http(s) URL. */
  readonly url: string | null
  readonly onSite: boolean
}

/** Files beside `R`, `B` and `docs`: the one that the base page names, and those that the chosen one links to. */
const FURTHER_FILES = 4

/** Where an llms.txt is looked for whatever the pages say, each URL once. */
export const llmsCandidates = (base: BaseAddress): ReadonlyArray<string> => [
  ...new Set([below(base.origin, "llms.txt"), below(base.folder, "llms.txt"), below(base.origin, "docs/llms.txt")])
]

/** Asks for all candidates at once, then for the files that the chosen one links to. */
export const gatherLlmsTxt = Effect.fn("LlmsTxt.gather")(function* (
  context: GatherContext,
  { notFoundProbe }: Using<{ notFoundProbe: NotFoundProbe }>
): Effect.fn.Return<LlmsTxt> {
  const usual = llmsCandidates(context.base)
  const named = namedFile(context.base)
  const urls = named === null || usual.includes(named) ? usual : [...usual, named]
  const [exchanges, known] = yield* Effect.all([context.collector.getAll(urls), notFoundProbe], { concurrency: 2 })
  const candidates = exchanges.map((exchange): LlmsCandidate => ({
    url: exchange.asked.url,
    exchange,
    verdict: fileVerdict(known, exchange, "text")
  }))
  const preferred = inPreference(context.base.folder, named, candidates)
  const there = filesOf(context, preferred)
  const file = there.find(({ document }) => document.titles.length > 0) ?? there[0] ?? null
  const linked = file === null ? [] : nestedAddresses(file, urls, FURTHER_FILES - (urls.length - usual.length))
  const followed = (yield* context.collector.getAll(linked)).map((exchange) => ({
    exchange,
    verdict: fileVerdict(known, exchange, "text")
  }))
  const further = [...there.filter((other) => other !== file), ...filesOf(context, followed)]
  const missing = [...candidates, ...followed]
    .map(({ exchange }) => exchange)
    .filter((exchange) => isMissingFile(known, exchange))
  return { candidates, preferred, file, nested: file === null ? [] : distinct(file, further), missing }
})

export const llmsTxt = derivation({
  name: "llms-txt",
  // The usual candidates (3), the one that the base page names and files that the chosen one links to (4 together).
  budget: { requests: 3 + FURTHER_FILES, megabytes: 2 },
  rank: RANK.sample,
  early: ({ base }) => llmsCandidates(base),
  gather: gatherLlmsTxt
})

/**
 * The llms.txt on the site that the base page names, in a header or an element: by `rel="describedby"` as llms.txt v2 has it, else by
 * `rel="index"`, which some sites use instead; `null`: none.
 */
const namedFile = ({ page, site }: Base): string | null => {
  const files = (page?.announcements ?? []).filter(
    ({ url }) => onSite(url, site) && new URL(url).pathname.endsWith("/llms.txt") && !url.includes("?")
  )
  const named = ["describedby", "index"].flatMap((relation) => files.filter(({ rel }) => rel.includes(relation)))
  return named[0]?.url ?? null
}

const inPreference = (
  folder: string,
  named: string | null,
  candidates: ReadonlyArray<LlmsCandidate>
): ReadonlyArray<LlmsCandidate> => {
  const rankOf = ({ url }: LlmsCandidate): number => {
    if (url === named) return Number.POSITIVE_INFINITY
    const own = url.slice(0, -"llms.txt".length)
    return folder.startsWith(own) ? own.length : 0
  }
  const ranked = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate) }))
  return ranked
    .toSorted((one, other) => (one.rank === other.rank ? 0 : other.rank - one.rank))
    .map(({ candidate }) => candidate)
}

const filesOf = (
  context: GatherContext,
  fetched: ReadonlyArray<Pick<LlmsCandidate, "exchange" | "verdict">>
): ReadonlyArray<LlmsFile> =>
  fetched.flatMap(({ exchange, verdict }) =>
    verdict === "found" && isAnswer(exchange) ? [fileOf(context, exchange)] : []
  )

/** "Raw: https://docs.example.com/raw/guide.txt" */
const BARE_TEXT_FILE = /https?:\/\/[^\s<>"'`()[\]{}|\\]{1,500}\.(?:mdx?|txt)\b/gi

const isTextFile = (url: string): boolean => isMarkdownUrl(url) || (URL.parse(url)?.pathname ?? "").endsWith(".txt")

const fileOf = (context: GatherContext, answer: Answer): LlmsFile => {
  const { text } = textOf(answer)
  const document = parseLlmsTxt(text)
  const links = document.links.map((link): LlmsLink => {
    const url = context.resolve(link.href, answer.url)
    return { ...link, url, onSite: url !== null && onSite(url, context.base.site) }
  })
  const bare = [...text.slice(0, LLMS_CHARACTERS).matchAll(BARE_TEXT_FILE)].map(([url]) =>
    context.resolve(url, answer.url)
  )
  const textFiles = new Set([...links.map(({ url }) => url), ...bare].filter((url) => url !== null).filter(isTextFile))
  return { url: answer.url, answer, document, links, textFiles }
}

const nestedAddresses = (file: LlmsFile, asked: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  const urls = new Set<string>()
  for (const { url, onSite } of file.links) {
    if (
      onSite &&
      url !== null &&
      new URL(url).pathname.endsWith("/llms.txt") &&
      url !== file.url &&
      !asked.includes(url)
    )
      urls.add(url)
    if (urls.size === most) break
  }
  return [...urls]
}

/** Files whose body is neither that of `file` nor of one before. */
const distinct = (file: LlmsFile, files: ReadonlyArray<LlmsFile>): ReadonlyArray<LlmsFile> => {
  const bodies = new Set([textOf(file.answer).text])
  return files.filter(({ answer }) => {
    const { text } = textOf(answer)
    const isNew = !bodies.has(text)
    bodies.add(text)
    return isNew
  })
}
