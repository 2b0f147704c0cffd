import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import process from "node:process"
import { counted } from "../../engine/plugin/Wording.ts"
import type { BoundCriterion } from "../../engine/plugin/Registry.ts"
import { RETRIEVALS_PER_PAGE } from "../../engine/evidence/AuditBudget.ts"
import { FetchLimits, REQUEST_MILLISECONDS } from "../../engine/evidence/FetchLimits.ts"
import { fixSite } from "../../engine/fix/Fix.ts"
import { HOST_TITLES } from "../../engine/fix/hosts/Formats.ts"
import { takesRedirects } from "../../engine/fix/hosts/HostRules.ts"
import { MOST_PAGES, type OpeningCost, WHOLE_SITE } from "../../engine/fix/open/OpeningCost.ts"
import { type FixPlan, planOf } from "../../engine/fix/plan/Plan.ts"
import { planDataText, planJson } from "../../engine/fix/plan/PlanData.ts"
import { planMarkdown, planPrompt, questionsMarkdown } from "../../engine/fix/plan/PlanMarkdown.ts"
import { openingInWords, scoreChange } from "../../engine/fix/plan/PlanWords.ts"
import { isWritable, type WritablePlugin } from "../../engine/fix/site/WritablePlugins.ts"
import type { AgentReads } from "../../engine/fix/write/Wish.ts"
import type { ParserPool } from "../../engine/parse/ParserPool.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { ownRecipes } from "../../engine/rubric/recipes/Recipes.ts"
import { refuseIgnored } from "../audit/FlagConflicts.ts"
import { auditBegins, notAudited, sourceOf, printPreviewHint } from "../audit/LocalAudit.ts"
import { unpublishedText } from "../audit/AuditSource.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { isFolder, readJsonFile } from "../io/Files.ts"
import { readRubric } from "../io/Rubrics.ts"
import { writeOut } from "../io/Stdout.ts"
import { makeProgress } from "../render/Progress.ts"
import { outputStyle, terminalWidth } from "../render/Style.ts"
import type { FixFlags } from "./FixFlags.ts"
import { fixText } from "./FixText.ts"
import { patchAndPrint } from "./PatchAndPrint.ts"
import { commitBranch } from "./pull/Checkout.ts"
import { type PullStory, type PullTarget, pullTarget, pullText, pullTitle } from "./pull/PullRequest.ts"
import { verifyAndPrint } from "./VerifyAndPrint.ts"
import { writeOutput } from "./WriteOutput.ts"
import { LogSummary } from "../../engine/logs/summary/LogSummary.ts"
import { plainPath } from "../../engine/logs/summary/MissingPaths.ts"
import { pathFormOf } from "../../engine/logs/summary/PathTable.ts"

/** Audits, writes, audits again, and prints the plan. */
export const fixAndPrint = Effect.fnUntraced(function* (
  flags: FixFlags
): Effect.fn.Return<void, CliFailure, FileSystem.FileSystem | ParserPool> {
  if (Option.isSome(flags.verify)) return yield* verifyAndPrint(flags, flags.verify.value)
  yield* refuseConflicts(flags)
  const rubric = yield* readRubric(flags.rubric, flags.allowPlugins)
  const only = yield* onlyOf(flags, rubric)
  const most = mostOf(flags)
  const reads = Option.isSome(flags.logs) ? yield* readAgentReads(flags.logs.value) : null
  if (reads !== null && !flags.quiet) yield* printUnredirected(reads, flags)
  const source = yield* sourceOf(
    { ...flags, replay: flags.from, record: Option.none(), server: Option.none() },
    null,
    process.env,
    REQUESTS_BESIDE + REQUESTS_OF_PAGE * (most ?? 0)
  )
  if (source.notice !== undefined && !flags.quiet) yield* Console.error(`docgauge: ${source.notice}`)
  const {
    run: { limits, ...run },
    transport
  } = source
  if (Option.isSome(flags.patch)) return yield* patchAndPrint(flags, flags.patch.value, source, rubric, only)
  yield* auditBegins(
    ((most ?? 0) * REQUEST_MILLISECONDS) / 1_000 + (AUDITS * limits.gatherMs) / 1_000,
    flags.allowPlugins,
    AUDITS
  )
  const progress = makeProgress(flags.quiet)
  const host = Option.getOrNull(flags.host)
  const target = flags.pullRequest
    ? yield* pullTarget(process.cwd(), run.url, Option.getOrNull(flags.static), only)
    : null
  const outcome = yield* fixSite({
    audit: { ...run, rubric, folder: source.folder !== undefined, listen: progress.listen },
    options: {
      only: target === null ? only : target.plugins,
      ai: Option.getOrNull(flags.ai),
      host,
      ...(reads === null ? {} : { reads })
    },
    isLive: source.folder === undefined && Option.isNone(flags.from),
    ...(target === null ? {} : { whyUnpublished: target.whyNot }),
    pages: most,
    ...(source.folder === undefined ? {} : { build: source.folder }),
    onlyWhole: !flags.all,
    beforeOpening: (cost) => (flags.quiet ? Effect.void : Console.error(openingText(cost))),
    beforeAsking: (urls) => (flags.quiet ? Effect.void : Console.error(askingText(urls)))
  }).pipe(
    Effect.catchTag("AuditFailed", (failed) => Effect.fail(notAudited(failed))),
    Effect.provide(transport),
    Effect.provideService(FetchLimits, limits),
    Effect.ensuring(Effect.sync(progress.end))
  )
  const plan = planOf({ ...outcome, only }, host, yield* ownRecipes(rubric))
  // Else files would name the preview where they should name the site.
  yield* printPreviewHint(outcome.productionOrigin, { from: Option.isSome(flags.from) ? "archive" : "site" }, flags)
  if (flags.prompt) return yield* writeOut(planPrompt(plan, flags.out))
  const isWritten = !flags.plan && plan.files.length > 0
  const story = target === null || plan.files.length === 0 ? null : storyOf(target, plan, outcome.unpublished)
  const papers = {
    plan: planMarkdown(plan),
    data: planDataText(plan),
    questions: questionsMarkdown(plan.before),
    pullRequest: story === null ? null : pullText(story)
  }
  if (isWritten) yield* writeOutput(flags.out, plan.files, papers, flags.force)
  // After the output, which may be refused: no branch is left of a run that fails.
  const branch = target === null || story === null ? null : yield* writeBranch(target, story)
  yield* writeOut(rendered(plan, flags, isWritten, branch))
})

/** Says what keeps redirects from being written. */
const printUnredirected = ({ missed }: AgentReads, { host, pullRequest }: FixFlags): Effect.Effect<void> => {
  const name = Option.getOrNull(host)
  // A branch has only what the generator publishes as it is.
  if (missed.length === 0 || pullRequest || (name !== null && takesRedirects(name))) return Effect.void
  const why =
    name === null
      ? `To redirect ${missed.length === 1 ? "it" : "them"}, say which host you use with --host.`
      : `${HOST_TITLES[name]} takes no redirects from a file.`
  return Console.error(`docgauge: agents ask in vain for ${counted(missed.length, "URL")} whose page is known. ${why}`)
}

/** What is told of the branch with the files of a plan. */
const storyOf = (
  { folder, pathOf, publishedAt }: PullTarget,
  plan: FixPlan,
  leftOut: PullStory["leftOut"]
): PullStory => ({
  plan,
  leftOut,
  files: plan.files.flatMap(({ path }) => {
    const at = path.startsWith("site/") ? pathOf(path.slice("site/".length)) : null
    return at === null ? [] : [{ path, at }]
  }),
  folder: folder.path,
  publishedAt,
  takesMarkdown: folder.takesMarkdown,
  generator: folder.generator
})

const writeBranch = ({ checkout }: PullTarget, story: PullStory): Effect.Effect<string, CliFailure> => {
  const { files, plan } = story
  const texts = new Map(plan.files.map(({ path, text }) => [path, text] as const))
  return commitBranch(
    checkout,
    `${pullTitle(story)}\n\nWritten by docgauge fix from what ${plan.before.base_url} publishes: ${scoreChange(plan)} of 100 points with these files.\n`,
    files.map(({ at, path }) => ({ path: at, text: texts.get(path) ?? "" }))
  )
}

/** The most pages to open; `null`: those of the sample, which `--sample` alone asks for. */
const mostOf = ({ all, sample }: FixFlags): number | null =>
  all ? MOST_PAGES : Option.isSome(sample) ? null : WHOLE_SITE

/** Requests beside those of one audit: to pages of new samples, and to URLs that files are written for. */
const REQUESTS_BESIDE = 300
/** Each page, what may be its Markdown version, and the URL of its file, which is asked for with two methods. */
const REQUESTS_OF_PAGE = RETRIEVALS_PER_PAGE + 2

/** The first audit, up to five openings of pages, and up to three audits of the fixed site. */
const AUDITS = 9

const openingText = (cost: OpeningCost): string =>
  `Opening ${counted(cost.pages, "more page")}: ${openingInWords(cost)}.`

const askingText = (urls: number): string =>
  `Asking for ${counted(urls, "URL")} before files are written for ${urls === 1 ? "it" : "them"}: up to ${counted(2 * urls + 1, "request")}.`

const rendered = (
  plan: FixPlan,
  { ai, format, host, noColor, out }: FixFlags,
  isWritten: boolean,
  branch: string | null
): string => {
  if (format === "json") return planJson(plan)
  const decisions = [
    ["--ai", ai],
    ["--host", host]
  ] as const
  return format === "markdown"
    ? planMarkdown(plan)
    : fixText(plan, {
        decisions: decisions
          .map(([flag, chosen]) => Option.match(chosen, { onNone: () => "", onSome: (value) => ` ${flag} ${value}` }))
          .join(""),
        folder: out.replace(/\/$/, ""),
        isWritten,
        ...(branch === null ? {} : { branch }),
        width: terminalWidth(),
        style: outputStyle(noColor)
      })
}

const refuseConflicts = (flags: FixFlags): Effect.Effect<void, CliFailure> => {
  const folder = Option.getOrNull(flags.url)
  const patch = Option.match(flags.patch, { onNone: () => "", onSome: (path) => ` --patch ${plainText(path, 200)}` })
  if (Option.isNone(flags.as) && folder !== null && isFolder(folder)) {
    return Effect.fail(wrongUsage(unpublishedText("docgauge fix", folder, patch)))
  }
  if (Option.isSome(flags.static) && !flags.pullRequest)
    return Effect.fail(wrongUsage("--static says where --pull-request puts files. Add --pull-request."))
  return refuseIgnored(flags)
}

/** The plugins of the criteria that `--only` names by the rubric's ids; `null`: all. */
const onlyOf = (
  { only }: FixFlags,
  { criteria }: LoadedRubric<BoundCriterion>
): Effect.Effect<ReadonlySet<WritablePlugin> | null, CliFailure> => {
  if (Option.isNone(only)) return Effect.succeed(null)
  const ids = only.value
    .split(",")
    .map((id) => id.trim().toUpperCase())
    .filter((id) => id !== "")
  const plugins = new Map(
    criteria.flatMap(({ definition: { id, plugin } }) => (isWritable(plugin) ? [[id, plugin] as const] : []))
  )
  const isKnown = ids.length > 0 && ids.every((id) => plugins.has(id))
  return isKnown
    ? Effect.succeed(new Set(ids.flatMap((id) => plugins.get(id) ?? [])))
    : Effect.fail(wrongUsage(`--only takes criteria that files can be written for: ${[...plugins.keys()].join(", ")}.`))
}

/** Reads what `docgauge logs` said of a site, for what is written for it. */
const readAgentReads = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<AgentReads, CliFailure, FileSystem.FileSystem> {
  const summary = yield* readJsonFile(path, LogSummary, "what docgauge logs --format json prints")
  const requests = new Map<string, number>()
  for (const page of summary.pages)
    requests.set(plainPath(page.path), (requests.get(plainPath(page.path)) ?? 0) + page.requests)
  return {
    // What asks for a file wants the file, not a page: a Markdown version is written for it.
    missed: summary.in_vain.not_found.paths.flatMap(({ page, path }) =>
      page !== null && pathFormOf(path) === "html" && pathFormOf(page) === "html" ? [{ from: path, to: page }] : []
    ),
    requestsFor: (url) => requests.get(plainPath(new URL(url).pathname)) ?? 0
  }
})
