import { counted, either, enumerated, type Forms, grouped, pathShown, percent } from "../plugin/Wording.ts"
import type { DriftFinding } from "../drift/Drift.ts"
import { REFUSING } from "../evidence/Exchange.ts"
import { generatorTitle } from "../rubric/CriterionPage.ts"
import { isMarkdownType } from "../text/UrlPath.ts"
import { plainText } from "../text/PlainText.ts"
import type { AgentAnswer, AsAgentsReport, AskedAgent } from "../audit/agents/NamedAgents.ts"
import type { RouteCost, Routes } from "../audit/cost/ReadingCost.ts"
import { type Fix, openByOurLimit, openPoints } from "../audit/FixFirst.ts"
import {
  allCriteria,
  type AuditReport,
  type CriterionResult,
  type EvidenceItem,
  type ReliabilityFlag
} from "../audit/Report.ts"

/** A site decides how long its media types are. */
const LONGEST_TYPE = 40

const OUTCOMES: Readonly<Record<Exclude<AgentAnswer["outcome"], "answered">, string>> = {
  disallowed: "forbidden by robots.txt",
  robots_unread: "not asked: robots.txt is unreadable",
  failed: "no answer",
  not_asked: "not asked"
}

/** An answer in a few words: `200 Markdown 4,812`, `200 HTML 5,000 of 21,348`, `403 bot challenge`, `forbidden by robots.txt`. */
export const answerWords = (answer: AgentAnswer): string => {
  const { challenge, characters, given, outcome, status, type } = answer
  if (outcome !== "answered") return OUTCOMES[outcome]
  if (challenge === true) return `${status ?? ""} bot challenge`
  if (characters === null || given === null)
    return [String(status ?? ""), ...(isGood(answer) ? [typeWord(type ?? "")] : [])].join(" ").trimEnd()
  return `${status ?? ""} ${typeWord(type ?? "")} ${grouped(given)}${given < characters ? ` of ${grouped(characters)}` : ""}`
}

const isGood = ({ status }: AgentAnswer): boolean => status !== null && status >= 200 && status < 300

const typeWord = (type: string): string => {
  if (isMarkdownType(type)) return "Markdown"
  return { "": "untyped", "text/html": "HTML", "text/plain": "text" }[type] ?? plainText(type, LONGEST_TYPE)
}

/** An answer that an agent's tool cuts off, and where. */
interface CutAnswer {
  readonly agent: AskedAgent
  readonly url: string
  /** The last sentence that the model is given. */
  readonly ends: string
}

/** All answers that an agent's tool cuts off, by agent. */
export const cutAnswers = ({ agents, asked }: AsAgentsReport): ReadonlyArray<CutAnswer> =>
  agents.flatMap((agent) =>
    agent.answers.flatMap(({ characters, ends, given }, index): ReadonlyArray<CutAnswer> => {
      const url = asked[index]?.url
      return url === undefined || ends === null || (given ?? 0) >= (characters ?? 0) ? [] : [{ agent, url, ends }]
    })
  )

/** `As 8 named agents ask: 3 get Markdown of the base page, 1 is refused a page, robots.txt keeps 1 from a page.` */
export const agentsSentence = ({ agents, asked }: AsAgentsReport): string => {
  const base = asked.findIndex(({ what }) => what === "base")
  const how = (holds: (answer: AgentAnswer, index: number) => boolean): number =>
    agents.filter(({ answers }) => answers.some(holds)).length
  const served = how(({ status }, index) => index === base && status === 200)
  const markdown = how(({ status, type }, index) => index === base && status === 200 && isMarkdownType(type ?? ""))
  const refused = how(({ challenge, status }) => challenge === true || REFUSING.has(status ?? 0))
  const limited = how(({ status }) => status === 429)
  const kept = how(({ outcome }) => outcome === "disallowed")
  return `As ${counted(agents.length, "named agent")} ${verb(agents.length, ["asks", "ask"])}: ${[
    served === 0 ? "none was served the base page" : ofBase(markdown, served, agents.length),
    ...(refused === 0 ? [] : [`${grouped(refused)} ${verb(refused, ["is", "are"])} refused a page`]),
    ...(limited === 0 ? [] : [`${grouped(limited)} ${verb(limited, ["was", "were"])} told to ask less often`]),
    ...(kept === 0 ? [] : [`robots.txt keeps ${grouped(kept)} from a page`])
  ].join(", ")}.`
}

/** Of the agents that were served the base page: the others say nothing of its Markdown. */
const ofBase = (markdown: number, served: number, all: number): string => {
  const number = markdown === 0 ? "none" : grouped(markdown)
  const gets = verb(markdown, ["gets", "get"])
  return served === all
    ? `${number} ${gets} Markdown of the base page`
    : `${number} of the ${grouped(served)} that were served the base page ${gets} Markdown of it`
}

const verb = (count: number, [one, several]: Forms): string => (count === 1 ? one : several)

/** What the numbers mean. */
export const MATRIX_NOTE =
  "Numbers are characters that the model is given, of a page that its tool cuts off with those of the whole. Every request named docgauge. The score does not depend on it."

/** `312 compared, 3 false, 41 not compared`; empty where nothing was compared. */
export const driftCounts = ({ drift }: Pick<AuditReport, "drift">): string => {
  if (drift === undefined || drift.compared === 0) return ""
  return [
    `${grouped(drift.compared)} compared`,
    `${drift.false === 0 ? "none" : grouped(drift.false)} false`,
    ...(drift.not_compared === 0 ? [] : [`${grouped(drift.not_compared)} not compared`])
  ].join(", ")
}

/** The counts as a sentence of a report; empty where nothing was compared. */
export const driftSentence = (report: Pick<AuditReport, "drift">): string => {
  const counts = driftCounts(report)
  return counts === "" ? "" : `Documentation against API description: ${counts}.`
}

/** The findings that no criterion has among its own. */
export const driftBesides = (
  report: Pick<AuditReport, "criteria" | "drift" | "experimental">
): ReadonlyArray<DriftFinding> => {
  const told = new Set(
    allCriteria(report).flatMap(({ findings = [], summary }) => [summary, ...findings.map(({ note }) => note)])
  )
  return (report.drift?.findings ?? []).filter(({ message }) => !told.has(message))
}

/** What each reliability flag means for a reader of the score, in one sentence. */
const flagText: Readonly<Record<ReliabilityFlag, string>> = {
  catch_all:
    "The site returns a page for URLs that do not exist, so well-known files count only if they differ from it.",
  bot_challenge:
    "We got a bot challenge instead of pages: the score says more about the firewall than about the documentation.",
  login_wall: "Pages require a login, so we could not read them.",
  single_page: "We found only one page, so every share is 0% or 100%.",
  client_rendered: "Pages have no text without JavaScript, so we could not read what they show in a browser.",
  off_site: "The API description is on another site, which we never contact.",
  timed_out:
    "Our time limit ended before everything was fetched. On the command line, `--timeout` gives an audit more seconds.",
  unresponsive: "5 requests to a host timed out, so we stopped fetching from it and did not check the rest.",
  rate_limited: "The site limits the rate of requests, so we waited and fetched more slowly.",
  unanswered:
    "Important requests got no usable response (429, 5xx, a bot challenge or a timeout), so more than 2 points, or the list of pages, could not be checked.",
  truncated: "We reached a limit of ours, so the audit left something out.",
  plugin_failed: "A plugin failed, so its criterion could not be judged. This is a bug of the plugin, not of the site.",
  folder:
    "This is an audit of a folder, so we could not check what is outside it or needs a server: content negotiation, response headers, responses to other clients.",
  no_http_api: "We found no HTTP API of this product: criteria about one do not apply."
}

/** What each part of an audit reads, by its collector; criteria go by their ids. */
const READ_BY: Readonly<Record<string, string>> = {
  "site/ai-catalog": "the AI catalogue",
  "site/base": "the start page",
  "site/full-text": "full texts",
  "site/links": "links with long URLs",
  "site/llms-txt": "llms.txt files",
  "site/markdown-versions": "Markdown versions",
  "site/negotiation": "answers to requests for Markdown",
  "site/not-found-probe": "answers to made-up URLs",
  "site/reference-search": "reference pages beyond the sample",
  "site/robots": "robots.txt",
  "site/sample": "pages of the sample",
  "site/signals": "signals",
  "site/sitemaps": "sitemaps",
  "site/spec": "API descriptions",
  "site/topic-search": "pages on topics beyond the sample"
}

const LIMITS: ReadonlyArray<readonly [reason: string, limit: string]> = [
  ["requests", "of requests"],
  ["bytes", "of bytes"],
  ["size", "of the size or complexity of one page or file"]
]

/** Which limits of ours left out what, and how the one of requests is raised. */
const truncatedText = ({ skipped }: AuditReport["reliability"]): string => {
  const limits = LIMITS.filter(([limit]) => skipped.some(({ reason }) => reason === limit))
  if (limits.length === 0) return flagText.truncated
  const parts = new Set(
    skipped.flatMap(({ collector, reason }) =>
      LIMITS.some(([limit]) => limit === reason) ? [READ_BY[collector] ?? plainText(collector, 20)] : []
    )
  )
  const raised = limits.some(([limit]) => limit === "requests")
    ? " On the command line, a larger `--sample` has a larger limit of requests."
    : ""
  return `We reached a limit of ours (${enumerated(limits.map(([, limit]) => limit))}), so the audit left out, or read in part: ${enumerated([...parts])}.${raised}`
}

/** Flags that tell of limits of ours. */
const OURS: ReadonlySet<ReliabilityFlag> = new Set(["timed_out", "truncated"])

/** The summaries of criteria whose plugin failed. */
const PLUGIN_FAILED = /^(?:The plugin .+? failed: |The plugin of .+? cites |Our check of .+? failed)/

/** Characters of a plugin's own message. */
const MESSAGE = 300

/**
 * A sentence for each flag of a report. That of a plugin that failed is followed by what each such plugin said, in which a
 * plugin has a say: `quote` is how that is written.
 */
export const flagTexts = (
  report: Pick<AuditReport, "criteria" | "experimental" | "reliability">,
  quote: (text: string) => string = (text) => text
): ReadonlyArray<string> =>
  report.reliability.flags.map((flag, index, flags) => {
    const failed =
      flag !== "plugin_failed"
        ? []
        : allCriteria(report).filter(({ status, summary }) => status === "inconclusive" && PLUGIN_FAILED.test(summary))
    // Once, behind the last flag that tells of a limit.
    const isLast = OURS.has(flag) && !flags.slice(index + 1).some((later) => OURS.has(later))
    return [
      flag === "truncated" ? truncatedText(report.reliability) : flagText[flag],
      ...(isLast ? [openText(report)].filter((text) => text !== "") : []),
      ...failed.map(({ id, summary }) => quote(`${plainText(id, 20)}: ${plainText(summary, MESSAGE)}`))
    ].join(" ")
  })

/** `D5 and D7 (5 points) are open because of it: that says nothing against the site.`; empty if none are. */
const openText = ({ criteria }: Pick<AuditReport, "criteria">): string => {
  const open = openByOurLimit(criteria)
  return open.length === 0
    ? ""
    : `${enumerated(open.map(({ id }) => plainText(id, 20)))} (${counted(openPoints(criteria), "point")}) ${open.length === 1 ? "is" : "are"} open because of it: that says nothing against the site.`
}

/** The findings against a site behind the first, which is the summary. */
export const missingOf = ({ findings = [] }: CriterionResult): ReadonlyArray<EvidenceItem> =>
  findings.slice(1).filter(({ good }) => !good)

/** The URLs that a fix is about, and how many more there are than are named. */
interface ConcernedUrls {
  readonly urls: ReadonlyArray<string>
  readonly more: number
}

/**
 * The first `most` URLs that a fix is about. The report names ten with the remedy; findings against the site name the others.
 * Summaries cite one page for all, so they do not count, and neither does `except`. What no page has is proved by the base page, which
 * it is not about.
 */
export const concernedUrls = (
  { base_url, pages: [base] = [] }: Pick<AuditReport, "base_url" | "pages">,
  criterion: CriterionResult,
  most: number,
  except: string | null = null
): ConcernedUrls => {
  const bad = missingOf(criterion)
  const isProofAlone = (url: string): boolean =>
    (url === base_url || url === base?.url) &&
    bad.some((finding) => finding.url === url) &&
    !bad.some((finding) => finding.url === url && isNamed(finding))
  const all = [...new Set([...(criterion.remedy?.addresses ?? []), ...bad.map(({ url }) => url)])].filter(
    (url) => url !== except && !isProofAlone(url)
  )
  return { urls: all.slice(0, most), more: Math.max(0, all.length - most) }
}

/** Whether a finding says something of the page that it cites. */
const isNamed = ({ note, url }: EvidenceItem): boolean =>
  note.split(" ").some((word) => word.replace(/[,.:;]$/, "") === pathShown(url))

/** `41 of the 69 points that apply`; empty if all criteria apply, or the report does not say. */
export const applicableText = ({ applicable_score: applicable, max_score: all }: AuditReport): string =>
  applicable === undefined || applicable.max === all
    ? ""
    : `${applicable.score} of the ${applicable.max} points that apply`

/**
 * `Reading a page costs 2,400 tokens as HTML, 1,900 as Markdown (median, HTML converted; bytes divided by 4).`, with "at least" where
 * pages were longer than what is read of one, what share is content, and what it costs to find an operation; empty if no page was
 * read. Reports from before 3.0.0 counted the raw HTML, and say what share of it is not text.
 */
export const readingCostText = ({ reading_cost: cost }: AuditReport): string => {
  const {
    at_least: cut = [],
    boilerplate = null,
    content_share: content,
    html = null,
    markdown = null,
    to_operation: routes = null
  } = cost ?? {}
  const forms = [
    ...(html === null ? [] : [`${boundText(html, cut.includes("html"))} tokens as HTML`]),
    ...(markdown === null
      ? []
      : [`${boundText(markdown, cut.includes("markdown"))}${html === null ? " tokens" : ""} as Markdown`])
  ]
  if (forms.length === 0) return ""
  return [
    `Reading a page costs ${forms.join(", ")} (median${html === null || content === undefined ? "" : ", HTML converted"}; bytes divided by 4).`,
    ...sharesText(boilerplate, content),
    ...(routes === null ? [] : routesText(routes))
  ].join(" ")
}

const sharesText = (boilerplate: number | null, content: number | null | undefined): ReadonlyArray<string> => {
  if (content !== undefined && content !== null) return [`${percent(content)} of that HTML is the page's content.`]
  return content === null || boilerplate === null ? [] : [`${percent(boilerplate)} of the HTML is not the page's text.`]
}

const routesText = ({ links, llms_txt: llmsTxt, sitemap }: Routes): ReadonlyArray<string> => {
  const ways = [
    ["through llms.txt", llmsTxt],
    ["through the sitemap", sitemap],
    ["by following links", links]
  ] as const
  const told = ways.flatMap(([by, cost]) => (cost === null ? [] : [`${routeText(cost)} ${by}`]))
  return told.length === 0 ? [] : [`Finding the documentation of one operation takes ${either(told)}.`]
}

const routeText = ({ at_least, requests, tokens }: RouteCost): string =>
  `${counted(requests, "request")} and ${boundText(tokens, at_least === true)} tokens`

/** A number of tokens, as `at least 2,097,152` where more was there than was read. */
export const boundText = (tokens: number, isLowerBound: boolean): string =>
  `${isLowerBound ? "at least " : ""}${grouped(tokens)}`

/**
 * How to do each fix with the site's generator, by criterion: `With MkDocs: …`. A recipe that does several is written out with
 * the first of them. `link` writes the URL of its documentation.
 */
export const recipeTexts = (fixes: ReadonlyArray<Fix>, link: (url: string) => string): ReadonlyMap<string, string> => {
  const firstWith = new Map<string, string>()
  return new Map(
    fixes.flatMap(({ criterion: { id, remedy } }) => {
      if (remedy?.recipe === undefined) return []
      const { do: what, generator, url } = remedy.recipe
      const first = firstWith.get(what)
      if (first === undefined) firstWith.set(what, id)
      return [
        [
          id,
          `With ${generatorTitle(generator)}: ${first === undefined ? `${what} ${link(url)}` : `the same as for ${first}.`}`
        ] as const
      ]
    })
  )
}
