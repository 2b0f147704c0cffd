import { counted, scoreWords } from "../../../engine/plugin/Wording.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { JudgedRun } from "../../../engine/store/runs/RunHistory.ts"
import { escapeMarkup } from "../../../engine/text/MarkupText.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { shownName } from "../../../engine/text/ShownName.ts"
import { changesSince, type Compares, type EarnedChange, type RunChanges } from "../../audits/RunChanges.ts"

/** A finished audit, as a feed tells of it. */
export interface FeedEntry {
  readonly run: Run
  readonly title: string
  readonly text: string
}

/** What an Atom feed is made from. */
interface FeedContent {
  /** The URL of the service, without a trailing slash. */
  readonly base: string
  readonly title: string
  /** The path of the feed, with its query. */
  readonly path: string
  /** The path of the page that has the same audits. */
  readonly page: string
  /** Newest first. */
  readonly entries: ReadonlyArray<FeedEntry>
}

/**
 * An entry for each audit but the oldest `spare`, newest first: its score, the change, and the criteria that earn more or less.
 * `judged`: consecutive audits of a site, newest first; `compares` says of two whether their scores compare; `titles`: criteria by id.
 */
export const feedEntries = (
  judged: ReadonlyArray<JudgedRun>,
  spare: number,
  compares: Compares,
  titles: ReadonlyMap<string, string>
): ReadonlyArray<FeedEntry> =>
  judged.slice(0, judged.length - spare).map((now, index) => {
    const before = judged[index + 1]
    const changes = changesSince(now, before, compares)
    return {
      run: now.run,
      title: `${shownName(now.run.site).text}: ${scoreWords(now.run.totalScore ?? 0, now.run.reliable === true)} of 100${changeText(changes)}`,
      text: explained(now, before, changes, titles)
    }
  })

/** Empty where the scores do not compare. */
const changeText = ({ delta }: RunChanges): string => {
  if (delta === null) return ""
  return delta === 0 ? ", as before" : `, ${Math.abs(delta)} ${delta < 0 ? "less" : "more"} than before`
}

const explained = (
  now: JudgedRun,
  before: JudgedRun | undefined,
  changes: RunChanges,
  titles: ReadonlyMap<string, string>
): string => {
  if (before === undefined) return "The first audit of this site here."
  if (changes.before === null) return "Another rubric judged the audit before, so the scores do not compare."
  const lines = [
    ...(now.run.reliable === true ? [] : ["This report is not reliable: too much could not be checked."]),
    ...changes.lost.map((change) => `Lost: ${changed(change, titles)}`),
    ...changes.gained.map((change) => `Gained: ${changed(change, titles)}`)
  ]
  return lines.length === 0 ? "No criterion earns more or less than before." : lines.join("\n")
}

const changed = ({ from, to }: EarnedChange, titles: ReadonlyMap<string, string>): string => {
  const title = titles.get(to.id)
  return `${to.id}${title === undefined ? "" : ` ${title}`} (${to.score} of ${counted(to.max, "point")}, ${from.score} before)`
}

/** When an audit finished, or else was accepted. */
export const momentOf = ({ finishedAt, startedAt }: Run): string => finishedAt ?? startedAt

/** The feed as RFC 4287 has it. Of no audits it has the beginning of time as its date, which an Atom feed must have. */
export const atomFeed = ({ base, entries, page, path, title }: FeedContent): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element("id", `${base}${path}`),
    element("title", title),
    element("updated", entries.map(({ run }) => momentOf(run)).reduce(later, "1970-01-01T00:00:00Z")),
    `<author>${element("name", "docgauge")}${element("uri", base)}</author>`,
    link("self", "application/atom+xml", `${base}${path}`),
    link("alternate", "text/html", `${base}${page}`),
    ...entries.map((entry) => atomEntry(base, entry)),
    "</feed>",
    ""
  ].join("\n")

const later = (one: string, other: string): string => (other > one ? other : one)

const atomEntry = (base: string, { run, text, title }: FeedEntry): string =>
  [
    "<entry>",
    element("id", `urn:uuid:${run.id}`),
    element("title", title),
    element("updated", momentOf(run)),
    link("alternate", "text/html", `${base}/r/${run.id}`),
    `<content type="text">${escapeMarkup(text)}</content>`,
    "</entry>"
  ].join("\n")

const element = (name: string, text: string): string => `<${name}>${escapeMarkup(plainText(text, 2_500))}</${name}>`

const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${escapeMarkup(href)}"/>`
