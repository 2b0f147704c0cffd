import { fixList } from "../../audit/FixFirst.ts"
import type { AuditReport, CriterionResult } from "../../audit/Report.ts"
import type { Page } from "../../page/Page.ts"
import { certaintyOf, type RecipeBook, recipesFor } from "../../rubric/recipes/Recipes.ts"
import type { FixOutcome } from "../Fix.ts"
import { WRITABLE } from "../WriteFixes.ts"
import { FORMATS, HOST_TITLES } from "../hosts/Formats.ts"
import type { HostName } from "../hosts/HostRules.ts"
import { type OutputFile, outputFiles } from "./OutputFiles.ts"

/** A criterion that gains points. */
export interface Gain {
  readonly criterion: string
  readonly title: string
  readonly before: number
  readonly after: number
  readonly max: number
}

/** What a person has to do. */
export interface Todo {
  readonly criterion: string
  readonly title: string
  /** Points to gain, those of criteria that wait for this one among them. */
  readonly points: number
  readonly steps: ReadonlyArray<string>
  /** Why no file does it. */
  readonly reasons: ReadonlyArray<string>
  readonly pages: ReadonlyArray<string>
  /** The option with which docgauge writes a file for it: `--only`, where that leaves it out; `null`: none. */
  readonly option: "--ai" | "--host" | "--only" | null
}

/** What to do with a site: files to publish and what they gain, then what needs writing. */
export interface FixPlan {
  readonly before: AuditReport
  readonly after: AuditReport
  /** Whether the gain is a lower bound: some pages that the second audit asked for are not in the archive. */
  readonly atLeast: boolean
  /** The score with everything in place; criteria that could not be judged again count as before. */
  readonly score: number
  readonly gains: ReadonlyArray<Gain>
  /** The ids of criteria that could be judged before and not again: pages of the new sample are not in the archive, or did not answer. */
  readonly unchecked: ReadonlyArray<string>
  readonly files: ReadonlyArray<OutputFile>
  readonly todo: ReadonlyArray<Todo>
  /** Pages that the site names and that were not opened: their Markdown is not among the files. */
  readonly unopened: number
  /** Recipes of the generator that was found and of the host. */
  readonly recipes: ReadonlyArray<PlanRecipe>
  readonly host: { readonly title: string; readonly use: string } | null
}

export interface PlanRecipe {
  /** The name of the generator or host. */
  readonly generator: string
  readonly do: string
  readonly url: string
  readonly criteria: ReadonlyArray<string>
}

/** Maximum number of pages that a todo names. */
const MOST_PAGES = 50

/** Puts the plan together. */
export const planOf = ({ after, before, fixes, isWhole, only, site, unopened }: FixOutcome, host: HostName | null, book: RecipeBook | null = null): FixPlan => {
  const format = host === null || fixes.configuration.length === 0 ? null : FORMATS[host]
  const gains = gainsOf(before, after)
  return {
    before,
    after,
    atLeast: !isWhole,
    score: before.total_score + gains.reduce((sum, gain) => sum + gain.after - gain.before, 0),
    gains,
    unchecked: before.criteria.filter(({ id, status }) => status !== "inconclusive" && !isJudged(after, id)).map(({ id }) => id),
    files: outputFiles(fixes),
    todo: todoOf(after, fixes.unwritten, only),
    unopened: fixes.files.some(({ criteria }) => criteria.includes("B1")) ? unopened : 0,
    recipes: recipesOf(before, site.sample.pages, host, book),
    host: host === null || format === null ? null : { title: HOST_TITLES[host], use: format.use }
  }
}

const gainsOf = (before: AuditReport, after: AuditReport): ReadonlyArray<Gain> =>
  before.criteria.flatMap(({ id, max, score, title }) => {
    const then = isJudged(after, id) ? after.criteria.find((criterion) => criterion.id === id)?.score ?? score : score
    return then === score ? [] : [{ criterion: id, title, before: score, after: then, max }]
  })

const isJudged = ({ criteria }: AuditReport, id: string): boolean => criteria.find((criterion) => criterion.id === id)?.status !== "inconclusive"

/** In the order of *Fix first*, for the site with the files in place. */
const todoOf = (after: AuditReport, unwritten: FixOutcome["fixes"]["unwritten"], only: FixOutcome["only"]): ReadonlyArray<Todo> =>
  fixList(after).fixes.map(({ criterion, gain }) => {
    const notes = unwritten.filter((note) => note.criterion === criterion.id)
    const isLeftOut = only !== null && !only.has(criterion.id) && WRITABLE.some((id) => id === criterion.id)
    return {
      criterion: criterion.id,
      title: criterion.title,
      points: gain,
      steps: criterion.remedy?.steps ?? [],
      reasons: isLeftOut ? ["--only leaves this criterion out. Add it, and docgauge writes what files can do."] : notes.map(({ reason }) => reason),
      option: isLeftOut ? "--only" : notes.find(({ option }) => option !== undefined)?.option ?? null,
      pages: [...new Set([...notes.flatMap(({ pages }) => pages), ...failedPages(after, criterion)])].filter((page) => page !== "").slice(0, MOST_PAGES)
    }
  })

const failedPages = ({ pages = [] }: AuditReport, { id }: CriterionResult): ReadonlyArray<string> =>
  pages.filter(({ failed }) => failed.includes(id)).map(({ url }) => url)

/** Recipes for what has points to gain: of the generator that most pages name, and of the host. */
const recipesOf = ({ criteria }: AuditReport, pages: ReadonlyArray<Page>, host: HostName | null, book: RecipeBook | null): ReadonlyArray<PlanRecipe> => {
  if (book === null) return []
  const short = new Set(criteria.filter(({ applicable, max, score, status }) => score < max && status !== "inconclusive" && applicable !== false).map(({ id }) => id))
  return book.tools.filter((tool) => tool.id === host || madeBy(tool, pages)).flatMap(({ id, title }) =>
    recipesFor(book, id, short).map((recipe) => ({ generator: title, do: /\bread (?:at|in)\b/.test(recipe.do) && !recipe.tried ? recipe.do : `${recipe.do} (${certaintyOf(recipe)})`, url: recipe.url, criteria: recipe.criteria })))
}

/** At least half of the pages name the tool as what made them. */
const madeBy = ({ id, kind, title }: RecipeBook["tools"][number], pages: ReadonlyArray<Page>): boolean => {
  const names = [id, title.toLowerCase()]
  const made = pages.filter(({ generator }) => names.some((name) => generator.toLowerCase().startsWith(name)))
  return kind !== "host" && made.length > 0 && made.length * 2 >= pages.length
}

/** `39 → 61`, or `39 → at least 61`. */
export const scoreChange = ({ atLeast, before, score }: FixPlan): string =>
  `${before.total_score} → ${atLeast && score > before.total_score ? "at least " : ""}${score}`

/** What could not be judged again, as a sentence; empty if everything could. */
export const uncheckedText = ({ atLeast, unchecked }: FixPlan): string =>
  unchecked.length === 0 ? "" : `${unchecked.join(", ")} could not be judged again and ${unchecked.length === 1 ? "counts" : "count"} as before: ${atLeast
    ? "pages of the new sample are not in the archive. Run docgauge fix with the URL to have all."
    : "the second audit did not get all that it needs in time. Run the command again; for a slow site, with a longer --timeout."}`

/** What is to be published, in words. */
export const filesInWords = ({ files }: FixPlan): string => {
  const count = (folder: string): number => files.filter(({ path }) => path.startsWith(folder)).length
  const parts = [
    [count("site/"), "publish this file", "publish these %d files"],
    [count("head/"), "add this snippet to the head of its page", "add these %d snippets to the heads of their pages"],
    [count("host/"), "configure your host with this file", "configure your host with these %d files"]
  ] as const
  const words = parts.filter(([number]) => number > 0).map(([number, one, many]) => (number === 1 ? one : many.replace("%d", number.toLocaleString("en"))))
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0] ?? ""
}

/** What is left beside the files, as sentences after the headline: points that no file gains, and those that a file may gain with another option. */
export const pointsLeft = ({ todo }: FixPlan): string => {
  const rest = pointsOf(todo.filter(({ option }) => option === null))
  const optional = todo.filter(({ option }) => option !== null)
  const points = pointsOf(optional)
  return `${rest === 0 ? "" : ` ${rest} more ${rest === 1 ? "point needs" : "points need"} writing.`}${points === 0 ? ""
    : ` Files may gain up to ${points} more with ${[...new Set(optional.map(({ option }) => OPTIONS[option ?? "--only"]))].join(", ")}: ${optional.map(({ criterion }) => criterion).join(", ")}.`}`
}

const pointsOf = (todo: ReadonlyArray<Todo>): number => todo.reduce((sum, { points }) => sum + points, 0)

const OPTIONS = { "--ai": "--ai", "--host": "--host", "--only": "more criteria in --only" } as const

/** The plan as JSON; the same plan gives the same bytes. */
export const planJson = (plan: FixPlan): string => `${JSON.stringify({
  before: plan.before,
  after: plan.after,
  at_least: plan.atLeast,
  score: plan.score,
  unchecked: plan.unchecked,
  gains: plan.gains,
  files: plan.files.map(({ completes, criteria, path, text, url }) => ({ path, url, criteria, bytes: Buffer.byteLength(text), completes })),
  todo: plan.todo,
  unopened_pages: plan.unopened,
  recipes: plan.recipes
}, null, 2)}\n`
