import type { DriftReason } from "../../drift/Drift.ts"
import { inlineCode } from "../../text/MarkupText.ts"
import { plainText } from "../../text/PlainText.ts"
import { type OpeningCost, WHOLE_SITE } from "../open/OpeningCost.ts"
import type { PlanText } from "./PlanSummary.ts"
import { counted, enumerated, firstNamed, grouped } from "../../plugin/Wording.ts"

/*
 * The sentences on a plan. Apart from what makes plans, so that a reader of plans does not load it.
 */

/** The folder that files are written to unless another is named. */
export const OUTPUT_FOLDER = "docgauge-fix"

/** Recipes of one kind, and how they go with the files, as a sentence. */
interface RecipeGroup {
  readonly lead: string
  readonly recipes: PlanText["recipes"]
}

/** The recipes of what builds the pages, which are tried first, then those for the host's rules, which are among the files. */
export const recipeGroups = ({ host, recipes }: Pick<PlanText, "host" | "recipes">): ReadonlyArray<RecipeGroup> =>
  [
    {
      lead: "What your tools write stays current in every build. Try these first, then run docgauge fix again for what is left.",
      recipes: recipes.filter(({ generator }) => generator !== host?.title)
    },
    {
      lead: `The rules of ${host?.title ?? ""} are among the files:`,
      recipes: recipes.filter(({ generator }) => generator === host?.title)
    }
  ].filter((group) => group.recipes.length > 0)

type Change = Pick<PlanText, "atLeast" | "before" | "host" | "score">

/** Whether the files gain nothing that could be measured: rules of a host for a folder. */
const isUnmeasured = ({ before, host, score }: Change): boolean =>
  host?.isMeasured === false && score === before.total_score

/** `39 → 61`, `39 → at least 61`, or `39` where nothing of the gain could be measured. */
export const scoreChange = ({ atLeast, before, host, score }: Change): string =>
  isUnmeasured({ atLeast, before, host, score })
    ? String(before.total_score)
    : `${before.total_score} → ${atLeast && score > before.total_score ? "at least " : ""}${score}`

/** Where the rubric, the engine or a cut archive gives another score than the report has, the plan begins with that, as a sentence; else empty. */
export const judgedAgainText = ({
  before: { total_score },
  reportScore
}: Pick<PlanText, "before" | "reportScore">): string =>
  reportScore === null || reportScore === total_score
    ? ""
    : `The report has ${reportScore} of 100 points. Its archive, judged again by this version of docgauge, has ${total_score}: the plan begins there.`

/** The text as a part of a list; none if it is empty. */
export const said = (text: string): ReadonlyArray<string> => (text === "" ? [] : [text])

export const gained = ({ gains }: Pick<PlanText, "gains">): PlanText["gains"] =>
  gains.filter(({ after, before }) => after > before)

/** What the second audit gives fewer points, as sentences; empty if there is nothing. */
export const lostText = ({ gains }: Pick<PlanText, "gains">): string => {
  const lost = gains.filter(({ after, before }) => after < before)
  return lost.length === 0
    ? ""
    : `The second audit gives fewer points for ${lost.map(({ after, before, criterion, max }) => `${criterion} (${before} → ${after} of ${max})`).join(", ")}: with llms.txt and the sitemap in place, it may read other pages than the first.`
}

/** What could not be judged, as sentences; empty if everything could. */
export const uncheckedText = (plan: Pick<PlanText, "atLeast" | "live" | "unchecked" | "unjudged">): string =>
  [unjudgedText(plan), judgedOnceText(plan)].filter((text) => text !== "").join(" ")

/** For what nothing was written because it could not be checked, as a sentence; else empty. */
export const unjudgedText = ({ live, unjudged }: Pick<PlanText, "live" | "unjudged">): string =>
  unjudged.length === 0
    ? ""
    : `${unjudged.join(", ")} could not be checked, so nothing is written for ${unjudged.length === 1 ? "it. Its summary in the report says" : "them. Their summaries in the report say"} why. ${
        live
          ? "Run the command again later."
          : "Run docgauge fix with the URL of the published site to check and write everything."
      }`

const judgedOnceText = ({ atLeast, live, unchecked }: Pick<PlanText, "atLeast" | "live" | "unchecked">): string =>
  unchecked.length === 0
    ? ""
    : `${unchecked.join(", ")} could not be judged again and ${unchecked.length === 1 ? "counts" : "count"} as before: ${
        atLeast
          ? "pages of the new sample are not in the archive. Run docgauge fix with the URL to check everything."
          : !live
            ? "the second audit could not read everything that this needs. Run docgauge fix with the URL of the published site to check everything."
            : "the second audit could not read all that this needs: something did not answer in time, or one of our limits was reached. Run the command again; for a slow site, with a longer --timeout."
      }`

/** Whether a file may only be published where there is none, as a note beside it; empty: it is new, or completes the owner's. */
export const absentNote = ({ onlyIfAbsent }: Pick<PlanText["files"][number], "onlyIfAbsent">): string =>
  onlyIfAbsent === true ? "only if absent" : ""

/** How many URLs a sentence names. */
const NAMED = 3

/** Why pages get no Markdown version, a sentence for each reason; the reasons say how many pages they are of. */
export const unversionedTexts = (
  { unversioned = [] }: Pick<PlanText, "unversioned">,
  shown: (url: string) => string = (url) => url
): ReadonlyArray<string> =>
  unversioned.map(({ pages: [first = "", ...others], reason }) =>
    first === "" ? reason : `${reason} (${others.length === 0 ? "" : "such as "}${shown(first)})`
  )

/** What was left as it is because it is there, and what must be looked at before it is published, as sentences; empty if neither. `shown`: how a URL of the site is written. */
export const keptText = (
  { files, kept }: Pick<PlanText, "files" | "kept">,
  shown: (url: string) => string = (url) => url
): string => {
  const unasked = files.filter(({ onlyIfAbsent }) => onlyIfAbsent === true)
  return [
    ...(kept.length === 0
      ? []
      : [
          `${counted(kept.length, "file that the audit had not found is", "files that the audit had not found are")} on the site already, and left as ${kept.length === 1 ? "it is" : "they are"}: ${firstNamed(kept.map(shown), NAMED)}.`
        ]),
    ...(unasked.length === 0
      ? []
      : [
          `We could not ask whether the site has ${grouped(unasked.length)} of these files already. Publish what is marked "only if absent" only where there is no file.`
        ])
  ].join(" ")
}

/** What an agent pays before and with the files in place, as sentences; empty if neither page nor way costs anything else. */
export const costText = ({ cost: { estimator, operation, pages } }: Pick<PlanText, "cost">): string => {
  const ways =
    operation === null ||
    (operation.before.tokens === operation.after.tokens && operation.before.requests === operation.after.requests)
      ? null
      : operation
  return [
    ...(pages === null
      ? []
      : [
          `An agent pays ${grouped(pages.total.before)} → ${grouped(pages.total.after)} tokens for ${pages.count === 1 ? "the one page that both audits read and that changes" : `the ${grouped(pages.count)} pages that both audits read and that change, ${grouped(pages.median.before)} → ${grouped(pages.median.after)} for the median`}.`
        ]),
    ...(ways === null
      ? []
      : [
          `The cheapest way to the documentation of one operation takes ${requestsText(ways.before.requests)} and ${grouped(ways.before.tokens)} tokens → ${requestsText(ways.after.requests)} and ${grouped(ways.after.tokens)} tokens.`
        ]),
    ...(pages === null && ways === null ? [] : [`HTML counts as converted to Markdown (${estimator}).`])
  ].join(" ")
}

const requestsText = (count: number): string => (count === 1 ? "1 request" : `${grouped(count)} requests`)

/** Paths that a prompt names. */
const PATHS = 20

/** What an agent that publishes the files may not replace, as sentences for a prompt; empty: nothing. */
export const notOverwritten = ({ files, kept }: Pick<PlanText, "files" | "kept">): string => {
  const unasked = files.filter(({ onlyIfAbsent }) => onlyIfAbsent === true).map(({ path }) => path)
  return [
    ...(unasked.length === 0
      ? []
      : [
          `Overwrite nothing: docgauge could not ask whether the site has these files already. Publish them only where there is none: ${namedCode(unasked)}.`
        ]),
    ...(kept.length === 0 ? [] : [`These are on the site already. Leave them as they are: ${namedCode(kept)}.`])
  ].join(" ")
}

const namedCode = (texts: ReadonlyArray<string>): string =>
  firstNamed(
    texts.map((text) => inlineCode(plainText(text, 300))),
    PATHS
  )

const filesInWords = ({ files }: Pick<PlanText, "files">): string => {
  const count = (folder: string): number => files.filter(({ path }) => path.startsWith(folder)).length
  const parts = [
    [count("site/"), "publish this file", "publish these %d files"],
    [count("head/"), "add this snippet to the head of its page", "add these %d snippets to the heads of their pages"],
    [count("host/"), "configure your host with this file", "configure your host with these %d files"]
  ] as const
  const words = parts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => (number === 1 ? one : many.replace("%d", grouped(number))))
  return enumerated(words)
}

/** ` for 197 of 202 pages`; empty where no file is for a page. */
export const pagesInWords = (plan: PlanText): string => {
  const { known, withFiles } = plan.pages
  return withFiles === 0 || isUnmeasured(plan)
    ? ""
    : ` for ${grouped(withFiles)} of ${grouped(known)} ${known === 1 ? "page" : "pages"}`
}

/** What opening pages takes at most, as in "up to 12 requests, at most 106 seconds". */
export const openingInWords = ({ requests, seconds }: Omit<OpeningCost, "pages">): string =>
  `up to ${requestsText(requests)}, at most ${seconds < 120 ? `${seconds} ${seconds === 1 ? "second" : "seconds"}` : `${grouped(Math.ceil(seconds / 60))} minutes`}`

/** Which pages were not opened, why, and what it would take to open them, as sentences; empty: all were. `shown`: how a URL of the site is written. */
export const unopenedText = (
  { before: { base_url }, pages: { all, known, limited, section, unopened } }: Pick<PlanText, "before" | "pages">,
  shown: (url: string) => string = (url) => plainText(url, 200)
): string => {
  if (unopened === 0) return ""
  const takes = (cost: OpeningCost): string => (cost.requests === 0 ? "" : ` (${openingInWords(cost)})`)
  const one = unopened === 1
  return [
    `${grouped(unopened)} of ${grouped(known)} known pages ${one ? "was" : "were"} not opened, so no file is written for ${one ? "it" : "them"}.`,
    ...(limited === 0
      ? []
      : [
          `${one ? "It" : `${grouped(limited)} of them`} ${limited === 1 ? "was" : "were"} left out by a limit of ours (time, requests or bytes): run the command again with a longer --timeout.`
        ]),
    ...(all === null || all.pages === 0 || limited === unopened
      ? []
      : known < WHOLE_SITE
        ? [`docgauge fix ${shown(base_url)} opens ${one ? "it" : "them"}${takes(all)}.`]
        : [
            `Without --all, at most ${WHOLE_SITE} pages are opened, and of a site that names more a sample. --all opens ${all.pages < unopened ? `${grouped(all.pages)} more` : one ? "it, too" : "them, too"}${takes(all)}.`
          ]),
    ...(section === null
      ? []
      : [`One section of ${grouped(section.pages)} pages: docgauge fix ${shown(section.url)}${takes(section)}.`])
  ].join(" ")
}

/** What only one of a folder and the site in it has, as sentences; empty: nothing. `shown`: how a URL or a file of the site is written. */
export const differenceText = (
  { difference }: Pick<PlanText, "difference">,
  shown: (text: string) => string = (text) => plainText(text, 200)
): string => {
  if (difference === null) return ""
  const { lacking, unreached } = difference
  const list = ({ count, named }: typeof lacking): string => firstNamed(named.map(shown), named.length, count)
  return [
    ...(unreached.count === 0
      ? []
      : [
          `No link, sitemap or llms.txt leads to ${unreached.count === 1 ? "1 HTML file of the folder, so nothing is written for it" : `${grouped(unreached.count)} HTML files of the folder, so nothing is written for them`} (--patch writes into every page): ${list(unreached)}.`
        ]),
    ...(lacking.count === 0
      ? []
      : [
          `${counted(lacking.count, "page is", "pages are")} linked or listed, and the folder has no file for ${lacking.count === 1 ? "it" : "them"}: ${list(lacking)}.`
        ])
  ].join(" ")
}

/** Which other versions of the documentation are known and what to do about them, as sentences; empty: none. `shown`: how a URL of the site is written. */
export const otherVersionsText = (
  { otherVersions }: Pick<PlanText, "otherVersions">,
  shown: (url: string) => string = (url) => plainText(url, 200)
): string => {
  const count = otherVersions.reduce((sum, { pages }) => sum + pages, 0)
  if (count === 0) return ""
  const named = otherVersions.slice(0, NAMED).map(({ url }) => shown(url))
  const more = otherVersions.length - named.length
  return [
    `${grouped(count)} known pages are of other versions of this documentation, below ${named.join(", ")}${more === 0 ? "" : ` and ${grouped(more)} more folders`}: nothing is written for them.`,
    "Where the current pages replace them, give each a canonical URL that is its current page, mark it noindex, or remove it."
  ].join(" ")
}

const UNMEASURED = " What the host's rules add to B2 cannot be measured in a folder: publish it, then audit its URL."

/** What to do with the files, after the score and its change. */
export const stepsInWords = (plan: PlanText): string =>
  `${isUnmeasured(plan) ? " in the folder. Next," : " if you"} ${filesInWords(plan)}.${plan.host?.isMeasured === false ? UNMEASURED : ""}`

/** What the score will be, as a sentence for a prompt. */
export const scoreInWords = (plan: Change): string =>
  isUnmeasured(plan) ? UNMEASURED.trim() : `With them the score goes ${scoreChange(plan)} of 100.`

/** What is left beside the files, as sentences after the headline: points that no file gains, and those that a file may gain with another option. */
export const pointsLeft = ({ todo }: Pick<PlanText, "todo">): string => {
  const rest = pointsOf(todo.filter(({ option }) => option === null))
  const optional = todo.filter(({ option }) => option !== null)
  const points = pointsOf(optional)
  return `${rest === 0 ? "" : ` ${rest} more ${rest === 1 ? "point needs" : "points need"} writing.`}${
    points === 0
      ? ""
      : ` Files may gain up to ${points} more with npx docgauge fix and ${[...new Set(optional.map(({ option }) => OPTIONS[option ?? "--only"]))].join(", ")}: ${optional.map(({ criterion }) => criterion).join(", ")}.`
  }`
}

const pointsOf = (todo: PlanText["todo"]): number => todo.reduce((sum, { points }) => sum + points, 0)

const OPTIONS = { "--ai": "--ai", "--host": "--host", "--only": "more criteria in --only" } as const

/** The plan in one sentence or a few: what the files gain, and what is left. */
export const planHeadline = (plan: PlanText): string =>
  `${plan.files.length === 0 ? "There is no file to write." : `${scoreChange(plan)} of 100${pagesInWords(plan)}${stepsInWords(plan)}`}${pointsLeft(plan)}`

/** The title of what examples, calls and tables have wrong. */
export const DRIFT_TITLE = "False examples and calls"

/** What to do about it, in a sentence before the findings. */
export const DRIFT_ADVICE =
  "Nothing is rewritten by guess. Find out what the API does, then correct the page or the API description, whichever is wrong."

type Drift = PlanText["drift"]

/** `… and 12 more`; empty where all are named. */
export const driftRest = ({ more }: Drift): string => (more === 0 ? "" : `… and ${grouped(more)} more`)

/** The reasons for which another operation may be meant than the call names. */
const NAMES_OTHER: ReadonlySet<DriftReason> = new Set([
  "unknown_host",
  "unknown_path",
  "unknown_method",
  "unknown_version"
])

/** The operation that a call may mean instead; `null` where its own is known, or none is like it. */
export const meantInstead = ({ likely, reason }: Drift["findings"][number]): string | null =>
  NAMES_OTHER.has(reason) ? (likely ?? null) : null
