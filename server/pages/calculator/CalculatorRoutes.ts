import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { rejudge } from "../../../engine/audit/compare/RubricShift.ts"
import { allCriteria, type AuditReport, rubricName } from "../../../engine/audit/Report.ts"
import { sum, verdictOf } from "../../../engine/audit/Score.ts"
import { counted, scoreWords, signed } from "../../../engine/plugin/Wording.ts"
import { Limits } from "../../../engine/limit/Limits.ts"
import { pointsText } from "../../../engine/rubric/CriterionPage.ts"
import type { Category, CriterionDefinition, Level } from "../../../engine/rubric/definition/Rubric.ts"
import type { LoadedRubric } from "../../../engine/rubric/RubricFile.ts"
import type { StoreUnavailable } from "../../../engine/store/database/StoreUnavailable.ts"
import { isRunId } from "../../../engine/store/runs/Run.ts"
import type { NotFound } from "../../api/Errors.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RunReading } from "../../audits/RunReading.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import { addresses } from "../../config/Settings.ts"
import { Clients } from "../../http/request/Clients.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"
import { notDone, noUuid, rateLimitedPage, refusedAsTold } from "../kit/NoticePage.ts"
import { pageAnswer } from "../kit/PageAnswer.ts"
import { queryOf } from "../kit/PageQuery.ts"
import { siteName, uncoded } from "../../../engine/report/html/Parts.ts"

/** A run that the levels were filled from. */
interface FilledFrom {
  readonly id: string
  readonly report: AuditReport
}

interface CalculatorPageProps {
  /** The URL of the service. */
  readonly base: string
  readonly rubric: LoadedRubric<unknown>
  readonly chosen: Chosen
  /** `null`: the levels are those of the query. */
  readonly run: FilledFrom | null
}

/** Choose a level for each criterion, and see the total. Without the script, the button asks for the page with the chosen levels. */
const calculatorPage = ({ base, chosen, rubric: loaded, run }: CalculatorPageProps): VNode => {
  const { rubric } = loaded
  const title = "Score calculator"
  const description = `Choose a level for each criterion of ${rubric.id} ${rubric.version}, and see the total and its verdict.`
  const result = calculated(loaded, chosen)
  return layout({
    title,
    description,
    path: "/rubric",
    styles: ["rubric.css"],
    scripts: ["calculator.js"],
    robots: run === null && [...chosen.values()].every((points) => points === null) ? "index" : "noindex",
    head: pageMetadata({
      base,
      url: `${base}/rubric/calculator`,
      title,
      description,
      above: [{ title: "Rubric", url: `${base}/rubric` }]
    }),
    content: html`
      <nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="/rubric">Rubric</a></li></ol></nav>
      <h1>${title}</h1>
      <p class="lead">${description}</p>
      ${run === null ? null : filledNote(loaded, run, result)}
      <form method="get" action="/rubric/calculator" data-calculator>
        <p class="total" role="status" data-verdicts=${JSON.stringify(rubric.verdicts.map(({ from, word }) => [from, word]))}><strong>${result.total}</strong> of 100: <span>${result.verdict}</span></p>
        ${rubric.categories.map((category) => categoryFields(category, chosen))}
        <p class="action-row"><button class="button" type="submit">Calculate</button></p>
      </form>`
  })
}

const categoryFields = ({ criteria, points, title }: Category, chosen: Chosen): VNode => html`
  <fieldset>
    <legend>${title} (${pointsText(points)})</legend>
    ${criteria.map((criterion) => levelField(criterion, chosen.get(criterion.id) ?? null))}
  </fieldset>`

const levelField = ({ id, levels, title }: CriterionDefinition, chosen: number | null): VNode => html`
  <p class="level-field">
    <label for=${`level-${id}`}><a href=${`/rubric/${id}`}>${id}</a> ${uncoded(title)}</label>
    <select id=${`level-${id}`} name=${id}>
      <option value="" selected=${chosen === null}>–</option>
      ${levels.filter(isFirstOfItsPoints).map(({ earns, status }) => html`<option value=${earns} selected=${chosen === earns}>${earns}, ${status}</option>`)}
    </select>
  </p>`

/** Two levels that earn alike are one choice. */
const isFirstOfItsPoints = ({ earns }: Level, index: number, levels: ReadonlyArray<Level>): boolean =>
  levels.findIndex((level) => level.earns === earns) === index

/** What the rubric in force makes of the run, and what is not known of it. */
const filledNote = (
  { digest, rubric }: LoadedRubric<unknown>,
  { id, report }: FilledFrom,
  result: Calculation
): VNode => {
  const { open, total } = result
  const was = scoreWords(report.total_score, report.reliability.reliable)
  const isSame = report.rubric.digest === digest
  return html`
    <p>Filled from <a href=${`/r/${id}`}>the audit of ${siteName(report.base_url)}</a>${
      isSame
        ? html`: ${was} under ${rubricName(report.rubric)}.`
        : html`, which scored ${was} under ${rubricName(report.rubric)}. Its facts come to ${open.length === 0 ? "" : "at least "}${total} under ${rubric.version}${open.length === 0 ? ` (${signed(total - report.total_score)})` : ""}.`
    }${openNote(open)}</p>`
}

const openNote = (open: Calculation["open"]): Content =>
  open.length === 0
    ? null
    : ` ${counted(open.length, "criterion", "criteria")} could not be filled, because it could not be checked or is measured differently now: ${open.map(({ id }) => id).join(", ")}.`

/** What a criterion is given: the points of one of its levels, or `null` where none is chosen. */
type Chosen = ReadonlyMap<string, number | null>

/** A total of chosen levels. */
interface Calculation {
  readonly total: number
  readonly verdict: string
  /** Criteria without a level: they add nothing. */
  readonly open: ReadonlyArray<CriterionDefinition>
}

type Rubric = Pick<LoadedRubric<unknown>, "criteria" | "rubric">

const calculated = ({ criteria, rubric }: Rubric, chosen: Chosen): Calculation => {
  const definitions = criteria.map(({ definition }) => definition)
  const total = sum(definitions.map(({ id }) => chosen.get(id) ?? 0))
  return {
    total,
    verdict: verdictOf(rubric.verdicts, total),
    open: definitions.filter(({ id }) => (chosen.get(id) ?? null) === null)
  }
}

/** The levels that a query chooses; what is no level of the criterion is none. */
const chosenIn = ({ criteria }: Rubric, query: URLSearchParams): Chosen =>
  new Map(
    criteria.map(({ definition: { id, levels } }) => {
      const given = query.get(id)
      return [id, levels.find(({ earns }) => String(earns) === given)?.earns ?? null]
    })
  )

/** The levels that a run reaches by this rubric: as it was judged by it, or by its facts where these still say something. */
const chosenFor = (
  { criteria, digest }: Pick<LoadedRubric<unknown>, "criteria" | "digest">,
  report: AuditReport
): Chosen => {
  const results = new Map(allCriteria(report).map((result) => [result.id, result]))
  return new Map(
    criteria.map((criterion) => {
      const { id } = criterion.definition
      const result = results.get(id)
      const verdict = rejudge(criterion, result?.measured)
      if (report.rubric.digest === digest && result !== undefined)
        return [id, result.status === "inconclusive" ? null : result.score]
      return [id, typeof verdict === "string" || verdict.status === "inconclusive" ? null : verdict.earns]
    })
  )
}

/** GET /rubric/calculator: the levels of its query, or with `run` those of a finished run. */
export const calculatorRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const rubric = yield* RubricInForce
    const reading = yield* RunReading
    const finishedRuns = yield* FinishedRuns
    const { base } = yield* addresses
    const limited = rateLimitedPage(yield* Clients, (yield* Limits).poll)

    const filledFrom = Effect.fnUntraced(function* (
      id: string
    ): Effect.fn.Return<FilledFrom | null, NotFound | StoreUnavailable> {
      const run = yield* reading.find(id)
      const finished = run.status === "done" ? yield* finishedRuns.get(id) : null
      return finished === null ? null : { id, report: yield* finishedRuns.read(finished) }
    })

    const filled = Effect.fnUntraced(function* (request: HttpServerRequest, id: string) {
      const run = yield* filledFrom(id)
      return run === null
        ? notDone(request)
        : yield* pageAnswer(request, calculatorPage({ base, rubric, run, chosen: chosenFor(rubric, run.report) }))
    })

    yield* router.add(
      "GET",
      "/rubric/calculator",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest
        const query = queryOf(request)
        const id = query.get("run")?.toLowerCase() ?? ""
        if (id === "")
          return yield* pageAnswer(
            request,
            calculatorPage({ base, rubric, run: null, chosen: chosenIn(rubric, query) })
          )
        if (!isRunId(id)) return noUuid(request)
        return yield* limited(request, refusedAsTold(request, filled(request, id)))
      })
    )
  })
)
