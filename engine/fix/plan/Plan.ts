import { type RouteCost, TOKEN_ESTIMATOR } from "../../audit/cost/ReadingCost.ts"
import { fixList } from "../../audit/FixFirst.ts"
import type { AuditReport, CriterionResult, SampledPage } from "../../audit/Report.ts"
import { pageKey } from "../../evidence/Address.ts"
import type { Page } from "../../page/Page.ts"
import { certaintyOf, type RecipeBook, recipesFor, type ToolRecipe } from "../../rubric/recipes/Recipes.ts"
import type { FixOutcome } from "../Fix.ts"
import { FORMATS, HOST_TITLES } from "../hosts/Formats.ts"
import { type HostName, type HostRules, redirectsUse } from "../hosts/HostRules.ts"
import { criteriaBy, idsOf, isWritable, type WritablePlugin } from "../site/WritablePlugins.ts"
import { type OutputFile, outputFiles } from "./OutputFiles.ts"
import type { PlanSummary } from "./PlanSummary.ts"

/** What to do with a site: files to publish and what they gain, then what needs writing. */
export interface FixPlan extends Omit<PlanSummary, "before" | "files"> {
  readonly before: AuditReport
  readonly after: AuditReport
  readonly files: ReadonlyArray<OutputFile>
  /** What the host is to do, as its files say; `null`: nothing. */
  readonly rules: HostRules | null
}

/** Maximum number of pages that a todo names. */
const MOST_PAGES = 50

const VERSIONS: WritablePlugin = "b1-markdown-twins"

/** Puts the plan together; `reportScore`: see `FixPlan`. */
export const planOf = (
  { after, before, coverage, difference, fixes, isLive, isWhole, kept, only, otherVersions, site, unasked }: FixOutcome,
  host: HostName | null,
  book: RecipeBook | null = null,
  reportScore: number | null = null
): FixPlan => {
  const format = host === null || fixes.configuration.length === 0 ? null : FORMATS[host]
  const uses = [...(format === null ? [] : [format.use]), ...fixes.redirects.map(redirectsUse)]
  const gains = gainsOf(before, after)
  const todo = todoOf(after, fixes.unwritten, only)
  return {
    before,
    after,
    reportScore,
    live: isLive,
    atLeast: !isWhole,
    score: before.total_score + gains.reduce((sum, gain) => sum + gain.after - gain.before, 0),
    gains,
    unchecked: before.criteria
      .filter(({ id, status }) => status !== "inconclusive" && !isJudged(after, id))
      .map(({ id }) => id),
    unjudged: unjudgedIn(before, only, [...fixes.unwritten.map(({ plugin }) => plugin), ...fixes.configures]),
    files: outputFiles(fixes, (plugins) => idsOf(before, plugins), unasked),
    rules: fixes.rules,
    kept,
    cost: costOf(before, after),
    todo,
    unversioned: todo.some(({ plugin }) => plugin === VERSIONS)
      ? []
      : fixes.unwritten
          .filter(({ plugin }) => plugin === VERSIONS)
          .map(({ pages, reason }) => ({ reason, pages: pages.slice(0, MOST_PAGES) })),
    drift: driftOf(before),
    difference:
      difference === null ? null : { unreached: named(difference.unreached), lacking: named(difference.lacking) },
    otherVersions: otherVersions.slice(0, MOST_VERSIONS),
    pages: { ...coverage, withFiles: pagesWithFiles(fixes) },
    recipes: recipesOf(
      before,
      site.sample.pages,
      fixes.configuration.length === 0 && host !== null && FORMATS[host] !== null ? null : host,
      book
    ),
    host:
      host === null || uses.length === 0
        ? null
        : {
            title: HOST_TITLES[host],
            use: uses.join(" "),
            isMeasured:
              !fixes.configures.includes("b2-markdown-negotiation") ||
              criteriaBy(after.criteria, "b2-markdown-negotiation").every(({ status }) => status !== "inconclusive")
          }
  }
}

const MOST_VERSIONS = 50

/** Pages of a difference that a plan names. */
const MOST_DIFFERENT = 10

const named = (all: ReadonlyArray<string>) => ({ count: all.length, named: all.slice(0, MOST_DIFFERENT) })

/** Pages that a Markdown version or a snippet was written for. */
const pagesWithFiles = ({ files, heads }: FixOutcome["fixes"]): number =>
  new Set([...files.flatMap(({ versionOf }) => versionOf ?? []), ...heads.map(({ url }) => url)].map(pageKey)).size

const gainsOf = (before: AuditReport, after: AuditReport): FixPlan["gains"] =>
  before.criteria.flatMap(({ id, max, score, title }) => {
    const then = isJudged(after, id) ? (after.criteria.find((criterion) => criterion.id === id)?.score ?? score) : score
    return then === score ? [] : [{ criterion: id, title, before: score, after: then, max }]
  })

/** Criteria that files can be written for and that could not be checked; `told`: plugins that something was written for or is said of. */
export const unjudgedIn = (
  { criteria }: Pick<AuditReport, "criteria">,
  only: FixOutcome["only"],
  told: ReadonlyArray<WritablePlugin>
): ReadonlyArray<string> =>
  criteria
    .filter(
      ({ measured: { plugin }, status }) =>
        status === "inconclusive" && isWritable(plugin) && (only === null || only.has(plugin)) && !told.includes(plugin)
    )
    .map(({ id }) => id)

const isJudged = ({ criteria }: AuditReport, id: string): boolean =>
  criteria.find((criterion) => criterion.id === id)?.status !== "inconclusive"

/** In the order of *Fix first*, for the site with the files in place. */
const todoOf = (
  after: AuditReport,
  unwritten: FixOutcome["fixes"]["unwritten"],
  only: FixOutcome["only"]
): FixPlan["todo"] =>
  fixList(after).fixes.map(({ criterion, gain, includes }) => {
    const { plugin } = criterion.measured
    const notes = unwritten.filter((note) => note.plugin === plugin)
    const isLeftOut = only !== null && isWritable(plugin) && !only.has(plugin)
    const reasons = isLeftOut
      ? ["--only leaves this criterion out. Add it, and docgauge writes what files can do."]
      : notes.map(({ reason }) => reason)
    return {
      criterion: criterion.id,
      plugin,
      title: criterion.title,
      includes: includes.map(({ id }) => id),
      points: gain,
      steps: notes.some(({ isElsewhere }) => isElsewhere === true) ? [] : (criterion.remedy?.steps ?? []),
      reasons,
      found: reasons.length === 0 && isWritable(plugin) ? criterion.summary : null,
      option: isLeftOut ? "--only" : (notes.find(({ option }) => option !== undefined)?.option ?? null),
      pages: [...new Set([...notes.flatMap(({ pages }) => pages), ...failedPages(after, criterion)])]
        .filter((page) => page !== "")
        .slice(0, MOST_PAGES)
    }
  })

const failedPages = ({ pages = [] }: AuditReport, { id }: CriterionResult): ReadonlyArray<string> =>
  pages.filter(({ failed }) => failed.includes(id)).map(({ url }) => url)

/** Falsehoods that a plan names. */
const MOST_FALSE = 20

/** Of figures neither side need be the false one, so they are left to the report. */
const driftOf = ({ drift }: Pick<AuditReport, "drift">): FixPlan["drift"] => {
  const found = (drift?.findings ?? []).filter(({ kind }) => kind !== "figure")
  const findings = found.slice(0, MOST_FALSE)
  return { findings, more: found.length - findings.length + (drift?.findings_left_out ?? 0) }
}

/** Recipes for what has points to gain: of the generator that most pages name, and of the host (`null`: not known, or there is nothing for its rules to do). */
const recipesOf = (
  { criteria }: AuditReport,
  pages: ReadonlyArray<Page>,
  host: HostName | null,
  book: RecipeBook | null
): FixPlan["recipes"] => {
  if (book === null) return []
  const short = new Set(
    criteria
      .filter(({ applicable, max, score, status }) => score < max && status !== "inconclusive" && applicable !== false)
      .map(({ id }) => id)
  )
  return book.tools
    .filter((tool) => tool.id === host || madeBy(tool, pages))
    .flatMap(({ id, title }) =>
      recipesFor(book, id, short).map((recipe) => ({
        generator: title,
        do: saysCertainty(recipe) ? recipe.do : `${recipe.do} (${certaintyOf(recipe)})`,
        url: recipe.url,
        criteria: recipe.criteria
      }))
    )
}

const saysCertainty = ({ do: what, tried }: ToolRecipe): boolean =>
  (tried ? /\btried with\b/ : /\bread (?:at|in)\b/).test(what)

/** At least half of the pages name the tool as what made them. */
const madeBy = ({ id, kind, title }: RecipeBook["tools"][number], pages: ReadonlyArray<Page>): boolean => {
  const names = [id, title.toLowerCase()]
  const made = pages.filter(({ generators }) =>
    generators.some((generator) => names.some((name) => generator.toLowerCase().startsWith(name)))
  )
  return kind !== "host" && made.length > 0 && made.length * 2 >= pages.length
}

/** The plan without the reports and the contents of files. */
export const planSummaryOf = (whole: FixPlan): PlanSummary => {
  const { after: _, before, files, rules: __, ...plan } = whole
  return {
    ...plan,
    before: { base_url: before.base_url, total_score: before.total_score },
    files: files.map(({ text, ...file }) => ({ ...file, bytes: Buffer.byteLength(text) }))
  }
}

type Reading = Pick<AuditReport, "pages" | "reading_cost">

/** With a smaller share of its pages in both audits, a site's samples are too different to say what its pages cost. */
const ENOUGH_SHARED = 0.5

/**
 * What an agent pays before and after, by the reports of two audits: for the pages that both of them read and that are cheaper or dearer
 * in the second, and for the cheapest way to one operation. Of a page the cheaper form counts: Markdown where it has a version.
 */
export const costOf = (before: Reading, after: Reading): PlanSummary["cost"] => {
  const then = new Map((after.pages ?? []).map((page) => [pageKey(page.url), tokensOf(page)] as const))
  const read = (before.pages ?? []).flatMap((page) => {
    const tokens = tokensOf(page)
    return tokens === null ? [] : [{ before: tokens, after: then.get(pageKey(page.url)) ?? null }]
  })
  const shared = read.flatMap(({ after, before }) => (after === null ? [] : [{ after, before }]))
  const pages =
    shared.length < ENOUGH_SHARED * read.length ? [] : shared.filter(({ after, before }) => after !== before)
  const [way, wayThen] = [wayOf(before), wayOf(after)]
  return {
    estimator: TOKEN_ESTIMATOR,
    pages:
      pages.length === 0
        ? null
        : {
            count: pages.length,
            median: {
              before: median(pages.map((page) => page.before)),
              after: median(pages.map((page) => page.after))
            },
            total: { before: sum(pages.map((page) => page.before)), after: sum(pages.map((page) => page.after)) }
          },
    operation: way === null || wayThen === null ? null : { before: way, after: wayThen }
  }
}

/** What a page costs an agent that takes Markdown where it is offered; `null`: it was not read, or not to its end. */
const tokensOf = ({ tokens: { at_least: cut = [], html, markdown } }: SampledPage): number | null => {
  const form = markdown === null ? "html" : "markdown"
  return cut.includes(form) ? null : (markdown ?? html)
}

/** The requests of a way, and the tokens of everything on it. */
type WayCost = Pick<RouteCost, "requests" | "tokens">

/** The way to one operation that costs the fewest tokens; `null`: none was found. */
const wayOf = ({ reading_cost: cost }: Reading): WayCost | null => {
  const routes = cost?.to_operation ?? null
  const ways = routes === null ? [] : [routes.llms_txt, routes.sitemap, routes.links]
  const [cheapest] = ways
    .filter((way): way is RouteCost => way !== null && way.at_least !== true)
    .toSorted((one, other) => one.tokens - other.tokens || one.requests - other.requests)
  return cheapest === undefined ? null : { requests: cheapest.requests, tokens: cheapest.tokens }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, one) => total + one, 0)

/** The middle number, of two the lower. */
const median = (numbers: ReadonlyArray<number>): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)] ?? 0
