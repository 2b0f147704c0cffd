import * as Effect from "effect/Effect"
import { normalise, siteOf } from "../../evidence/Address.ts"
import { textOf } from "../../evidence/BodyText.ts"
import type { Collector } from "../../evidence/Collector.ts"
import { Evidence } from "../../evidence/Evidence.ts"
import {
  type Answer,
  type Exchange,
  headerIn,
  isAnswer,
  isGone,
  isMissing,
  isOk,
  isSuccess,
  mediaType
} from "../../evidence/Exchange.ts"
import { FetchLimits, REQUEST_MILLISECONDS } from "../../evidence/FetchLimits.ts"
import { Transport } from "../../evidence/Transport.ts"
import { readMarkdown } from "../../page/markdown/MarkdownReader.ts"
import { ParserPool } from "../../parse/ParserPool.ts"
import { evenStride } from "../../site/base/EvenStride.ts"
import { lets } from "../../site/wellknown/Robots.ts"
import { folderOf, isMarkdownType } from "../../text/UrlPath.ts"
import type { PlanPromises } from "../plan/PlanData.ts"
import { grouped } from "../../plugin/Wording.ts"
import { createHash } from "node:crypto"
import { describesPage, type Page } from "../../page/Page.ts"

/** A promise of a plan, and what came of it on the published site. */
export interface CheckedPromise {
  readonly outcome: Outcome
  /** The file of the plan, or what the host was to do. */
  readonly what: string
  readonly url: string
  /** Why, as a clause with the URL as its subject. */
  readonly says: string
}

const NAME = "fix/verify"

/** Links that are followed, over all files. */
const MOST_LINKS = 200

/** Dead links that a line names. */
const NAMED = 3

/** Requests that a check takes, apart from redirects. */
export const requestsToVerify = ({ files }: PlanPromises): number => 2 * files.length + 2 * MOST_LINKS + 2

/**
 * Asks a published site for what a plan promised: each file with its type, its text and its links, each head, and what the host was to
 * do. `at`: the URL that the documentation is published at; files of the plan are looked for below it.
 */
export const verifyPlan = Effect.fn("Fix.verify")(function* (
  plan: PlanPromises,
  at: string
): Effect.fn.Return<ReadonlyArray<CheckedPromise>, never, Transport | ParserPool> {
  const limits = yield* FetchLimits
  const requests = requestsToVerify(plan)
  const rebased = rebasing(plan.base_url, at)
  const evidence = Evidence.layer({
    site: siteOf(new URL(at).hostname),
    canonicalOrigin: null,
    allowanceOf: () => ({ requests, bytes: limits.auditBytes }),
    readRobots: (exchange) => Effect.succeed(lets(exchange))
  })
  return yield* Effect.gen(function* () {
    const { collector } = yield* Evidence
    const site = collector(NAME)
    const published = plan.files.filter(({ path, url }) => path.startsWith("site/") && url !== null)
    const files = yield* checkFiles(published, site, rebased)
    const heads = yield* checkHeads(
      plan.files.filter(({ path, url }) => path.startsWith("head/") && url !== null),
      site,
      rebased
    )
    return [...files, ...heads, ...(yield* checkHost(plan, published, site, rebased))]
  }).pipe(
    Effect.provide(evidence),
    Effect.provideService(
      FetchLimits,
      Object.assign({}, limits, { requests, gatherMs: limits.gatherMs + requests * REQUEST_MILLISECONDS })
    )
  )
})

/** URLs of a plan as they are on the published site: below its URL, else on its host. */
const rebasing = (from: string, to: string): ((url: string) => string) => {
  const folder = (url: string): string => {
    const { origin, pathname } = new URL(url)
    return `${origin}${folderOf(pathname)}`
  }
  const [one, other] = [folder(from), folder(to)]
  return (url) => {
    if (url.startsWith(one)) return `${other}${url.slice(one.length)}`
    if (`${url}/` === one) return other
    const { origin } = new URL(from)
    return url.startsWith(`${origin}/`) ? `${new URL(to).origin}${url.slice(origin.length)}` : url
  }
}

const checkFiles = Effect.fnUntraced(function* (
  files: ReadonlyArray<PlannedFile>,
  site: Collector,
  rebased: (url: string) => string
): Effect.fn.Return<ReadonlyArray<CheckedPromise>, never, Transport> {
  const urls = files.map(({ url }) => rebased(url ?? ""))
  const exchanges = yield* site.getAll(urls.map((url) => ({ url, limit: "document" as const })))
  const links = exchanges.map((exchange, index) => linksIn(exchange, urls[index] ?? "", rebased))
  const { dead, followed } = yield* deadAmong(links.flat(), new Set(urls), site)
  return files.map((file, index) => {
    const judged = judgeFile(file, exchanges[index])
    const own = (links[index] ?? []).filter((url) => followed.has(url))
    return {
      what: file.path,
      url: urls[index] ?? "",
      ...(judged.outcome === "kept" && own.length > 0
        ? judgeLinks(
            judged.says,
            own,
            own.filter((url) => dead.has(url))
          )
        : judged)
    }
  })
})

const judgeLinks = (says: string, followed: ReadonlyArray<string>, dead: ReadonlyArray<string>): PromiseVerdict => {
  if (dead.length === 0)
    return kept(
      `${says}; ${followed.length === 1 ? "1 link" : `${grouped(followed.length)} links`} followed, none is dead`
    )
  const named = dead.slice(0, NAMED).join(", ")
  return broken(
    `links to ${dead.length === 1 ? "a URL that is" : `${grouped(dead.length)} URLs that are`} not there: ${named}${dead.length > NAMED ? " …" : ""}`
  )
}

/** The URLs of the published site that a Markdown file or llms.txt links to; none of another file. */
const linksIn = (
  exchange: Exchange | undefined,
  url: string,
  rebased: (url: string) => string
): ReadonlyArray<string> => {
  if (exchange === undefined || !isOk(exchange) || !/\.(?:md|txt)$/.test(new URL(url).pathname)) return []
  const { origin } = new URL(url)
  return [
    ...new Set(
      readMarkdown(textOf(exchange).text).links.flatMap(({ href }) => {
        const target = normalise(href, url)
        const own = target === null ? "" : rebased(target)
        return own.startsWith(`${origin}/`) ? [own] : []
      })
    )
  ]
}

interface FollowedLinks {
  readonly followed: ReadonlySet<string>
  /** Those of them that lead nowhere. */
  readonly dead: ReadonlySet<string>
}

/** Follows as many links as may be: with HEAD, and with GET where that does not tell. */
const deadAmong = Effect.fnUntraced(function* (
  links: ReadonlyArray<string>,
  known: ReadonlySet<string>,
  site: Collector
): Effect.fn.Return<FollowedLinks, never, Transport> {
  const [first] = links
  if (first === undefined) return { dead: new Set(), followed: new Set() }
  const { perHost } = yield* FetchLimits
  const { send } = yield* Transport
  const isOpen = lets(yield* site.get(`${new URL(first).origin}/robots.txt`))
  const followed = evenStride(
    [...new Set(links)].filter((url) => !known.has(url) && isOpen(url)),
    MOST_LINKS
  )
  const isDead = Effect.fnUntraced(function* (url: string): Effect.fn.Return<boolean> {
    const head = yield* send({
      asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
      limitBytes: 0,
      headOnly: true
    })
    if (head._tag === "HopAnswer" && head.status >= 200 && head.status < 300) return false
    return isGone(yield* site.get(url))
  })
  const dead = yield* Effect.filter(followed, isDead, { concurrency: perHost })
  return { dead: new Set(dead), followed: new Set(followed) }
})

const checkHeads = Effect.fnUntraced(function* (
  heads: ReadonlyArray<PlannedFile>,
  site: Collector,
  rebased: (url: string) => string
): Effect.fn.Return<ReadonlyArray<CheckedPromise>, never, ParserPool> {
  const urls = heads.map(({ url }) => rebased(url ?? ""))
  const exchanges = yield* site.getAll(urls)
  return yield* Effect.forEach(heads, (head, index) =>
    Effect.map(judgeHead(head, exchanges[index], rebased), (judged) => ({
      what: head.path,
      url: urls[index] ?? "",
      ...judged
    }))
  )
})

/** What the host was to do: the `Link` header, and Markdown for those that ask for it. */
const checkHost = Effect.fnUntraced(function* (
  { base_url, rules }: PlanPromises,
  files: ReadonlyArray<PlannedFile>,
  site: Collector,
  rebased: (url: string) => string
): Effect.fn.Return<ReadonlyArray<CheckedPromise>> {
  if (rules === null) return []
  const base = rebased(base_url)
  const header =
    rules.link === null ? [] : [{ what: "Link header", url: base, ...linked(rules.link, yield* site.get(base)) }]
  const pages = rules.negotiates
    ? files.flatMap((file) => (file.version_of === null ? [] : [{ file, url: rebased(file.version_of) }]))
    : []
  const exchanges = yield* site.getAll(
    pages.map(({ url }) => ({ url, accept: "text/markdown, text/html;q=0.9, */*;q=0.5" }))
  )
  return [
    ...header,
    ...pages.map(({ file, url }, index) => ({
      what: "Accept: text/markdown",
      url,
      ...negotiated(file, exchanges[index])
    }))
  ]
})

const linked = (link: string, exchange: Exchange): PromiseVerdict => {
  const undecided = whyOpen(exchange)
  if (undecided !== null || !isAnswer(exchange)) return undecided ?? broken("did not answer")
  const served = headerIn(exchange.headers, "link") ?? ""
  const missing = link.split(", ").filter((part) => !served.includes(part))
  return missing.length === 0 ? kept(`has ${link}`) : broken(`lacks ${missing.join(", ")}`)
}

const negotiated = (file: PlannedFile, exchange: Exchange | undefined): PromiseVerdict => {
  const undecided = whyOpen(exchange)
  if (undecided !== null) return undecided
  if (exchange === undefined || !isOk(exchange) || !isMarkdownType(mediaType(exchange)))
    return broken(
      exchange !== undefined && isAnswer(exchange)
        ? `answers ${exchange.status} with ${mediaType(exchange) || "no type"}, not with Markdown`
        : "does not answer with Markdown"
    )
  const { outcome, says } = judgeFile(file, exchange)
  return { outcome, says: outcome === "kept" ? "answers with its Markdown version" : says }
}

type PlannedFile = PlanPromises["files"][number]

/** What came of a promise. `open`: it could not be checked. */
export type Outcome = "kept" | "broken" | "open"

/** An outcome, and why, as a clause without a subject. */
interface PromiseVerdict {
  readonly outcome: Outcome
  readonly says: string
}

export const kept = (says: string): PromiseVerdict => ({ outcome: "kept", says })
export const broken = (says: string): PromiseVerdict => ({ outcome: "broken", says })
const open = (says: string): PromiseVerdict => ({ outcome: "open", says })

/** Why an answer says nothing of what is published; `null`: it does. */
const whyOpen = (exchange: Exchange | undefined): PromiseVerdict | null => {
  if (exchange === undefined) return open("was not asked for: we reached the limit of requests")
  if (!isAnswer(exchange)) return open(`could not be asked for: ${exchange.message}`)
  return isMissing(exchange) ? open(`answers ${exchange.status}, so it could not be checked`) : null
}

/** Whether a file is served as it was planned: its type and its bytes, or the same text with other line ends. */
const judgeFile = (file: PlannedFile, exchange: Exchange | undefined): PromiseVerdict => {
  const undecided = whyOpen(exchange)
  if (undecided !== null || exchange === undefined || !isAnswer(exchange)) return undecided ?? open("was not asked for")
  if (!isSuccess(exchange.status)) return broken(`answers ${exchange.status}`)
  const size = grouped(exchange.body.length)
  if (!isSame(file, exchange.body, textOf(exchange).text))
    return file.only_if_absent === true
      ? kept("has another text, which it may: it was to be published only if there was none")
      : broken(`has another text: ${size} bytes in place of ${grouped(file.bytes)}`)
  const type = mediaType(exchange)
  return isFitting(file.type, type)
    ? kept(`${type === "" ? "without a type" : type}, ${size} bytes`)
    : broken(`is served as ${type === "" ? "no type" : type}, not as ${essence(file.type ?? "")}`)
}

const essence = (type: string): string => type.split(";", 1)[0] ?? ""

/** Types that hosts give to text of any kind. */
const isFitting = (planned: string | null, served: string): boolean =>
  planned === null ||
  served === essence(planned) ||
  (served === "text/plain" && /^text\/(?:markdown|plain)/.test(planned)) ||
  (served === "text/xml" && essence(planned) === "application/xml")

/** Hosts and repositories may change line ends, and the line break at the end. */
const isSame = ({ sha256 }: PlannedFile, body: Uint8Array, text: string): boolean => {
  const lines = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")
  return [body, lines, `${lines.trimEnd()}\n`].some((one) => createHash("sha256").update(one).digest("hex") === sha256)
}

/** Whether the head of a page says what a snippet says, however it is written. */
const judgeHead = Effect.fnUntraced(function* (
  { elements }: PlannedFile,
  exchange: Exchange | undefined,
  rebased: (url: string) => string
): Effect.fn.Return<PromiseVerdict, never, ParserPool> {
  const undecided = whyOpen(exchange)
  if (undecided !== null || exchange === undefined || !isAnswer(exchange)) return undecided ?? broken("did not answer")
  if (!isSuccess(exchange.status)) return broken(`answers ${exchange.status}`)
  const { page } = yield* ParserPool
  const wanted = yield* page({ answer: pageOf(exchange, elements) })
  const missing = missingIn(wanted, yield* page({ answer: exchange }), rebased)
  return missing.length === 0
    ? kept(elements.length === 1 ? "has its element" : `has all ${elements.length} elements`)
    : broken(`lacks ${missing.join(", ")}`)
})

const pageOf = (answer: Answer, elements: ReadonlyArray<string>): Answer => ({
  ...answer,
  headers: [["content-type", "text/html; charset=utf-8"]],
  body: new TextEncoder().encode(
    `<!doctype html><html><head>${elements.join("\n")}</head><body><p>Snippet</p></body></html>`
  ),
  cut: false
})

/** Elements by what they say; a URL of the plan counts as that of the published site, too. */
const missingIn = (wanted: Page, served: Page, rebased: (url: string) => string): ReadonlyArray<string> => {
  const isSame = (one: string, other: string): boolean => one === other || rebased(one) === other
  return [
    ...(wanted.title !== "" && wanted.title !== served.title ? ["its title"] : []),
    ...(wanted.description !== "" && wanted.description !== served.description ? ["its description"] : []),
    ...(wanted.canonical !== null && (served.canonical === null || !isSame(wanted.canonical, served.canonical))
      ? ["its canonical URL"]
      : []),
    ...(describesPage(wanted.structured) && !describesPage(served.structured) ? ["its JSON-LD"] : []),
    ...wanted.announcements
      .filter(({ rel }) => !rel.includes("canonical"))
      .filter(
        ({ rel, url }) =>
          !served.announcements.some((other) => rel.every((one) => other.rel.includes(one)) && isSame(url, other.url))
      )
      .map(({ rel }) => `its link rel="${rel.join(" ")}"`)
  ]
}
