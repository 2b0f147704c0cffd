import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Corpus, type SiteSummary, type CorpusSummary } from "../../../engine/store/corpus/Corpus.ts"
import { RunHistory } from "../../../engine/store/runs/RunHistory.ts"
import { FinishedRuns } from "../../audits/FinishedRuns.ts"
import { RubricInForce } from "../../config/RubricInForce.ts"
import { addresses, type Addresses } from "../../config/Settings.ts"
import { FEW_SITES } from "../browse/SiteTable.ts"
import { CachedResponse, ResponseCache } from "../../response/ResponseCache.ts"
import { finishedPage } from "../kit/PageAnswer.ts"
import { FIRST_FIXES, type Fix, fixList } from "../../../engine/audit/FixFirst.ts"
import type { AuditReport } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/plugin/Wording.ts"
import { type Category, effortText } from "../../../engine/rubric/definition/Rubric.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import type { RefusedForm } from "../../http/errors/ErrorResponses.ts"
import { levelClass } from "../../../engine/report/html/LevelColour.ts"
import { pageUrl, pathOf } from "../docs/DocText.ts"
import { codedText, day, gain, rubricText, score, shareBar, siteLabel } from "../../../engine/report/html/Parts.ts"
import { allOf, DOES_NOT_APPLY, reportView } from "../../../engine/report/ReportView.ts"
import { auditForm } from "../kit/AuditForm.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"
import { sitePath } from "../kit/PageQuery.ts"

/** How long the page is cached. It reads the store at most this often, so it needs no rate limit. */
const TIME_TO_LIVE = "20 seconds"

/** GET /. */
export const homeRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const [corpus, history] = [yield* Corpus, yield* RunHistory]
    const responses = yield* ResponseCache
    const finishedRuns = yield* FinishedRuns
    const { rubric } = yield* RubricInForce
    const service = yield* addresses

    /** A report with something to fix shows most. */
    const sampleOf = Effect.fnUntraced(function* (leading: ReadonlyArray<SiteSummary>) {
      const reliable = leading.filter((site) => site.reliable)
      const { site } = reliable.find(({ latestScore }) => latestScore < 100) ?? reliable[0] ?? { site: "" }
      const run = site === "" ? null : yield* history.newestReliable(site)
      const finished = run === null ? null : yield* finishedRuns.get(run.id)
      if (finished === null) return {}
      return { sample: { id: finished.id, site, report: yield* finishedRuns.read(finished) } }
    })

    /** Reading a stored report may fail in ways that the rest of the page does not depend on. */
    const sampleIfReadable = (leading: ReadonlyArray<SiteSummary>) =>
      Effect.catchCause(sampleOf(leading), (cause) =>
        Effect.as(Effect.logWarning("the sample report of the home page could not be read", cause), {})
      )

    const teaser = Effect.gen(function* () {
      const summary = yield* corpus.summary
      if (summary.sites === 0) return null
      const latest = yield* Effect.forEach(yield* corpus.recent(FEW_SITES), ({ site }) => history.newest(site))
      const leading = yield* corpus.top("all", "best", FEW_SITES)
      return {
        summary,
        latest: latest.filter((run) => run !== null),
        leading,
        ...(yield* sampleIfReadable(leading))
      } satisfies Teaser
    })

    // Without the store the page still shows the form.
    const page = Effect.map(
      Effect.catch(teaser, () => Effect.succeed(null)),
      (figures) => finishedPage(homePage({ service, categories: rubric.categories, teaser: figures }))
    )

    yield* router.add(
      "GET",
      "/",
      Effect.gen(function* () {
        const content = yield* responses.get("home", CachedResponse, page, TIME_TO_LIVE)
        return yield* content.to(yield* HttpServerRequest)
      })
    )
  })
)

/** The part of the corpus that the home page shows. */
interface Teaser {
  readonly summary: CorpusSummary
  readonly latest: ReadonlyArray<Run>
  readonly leading: ReadonlyArray<SiteSummary>
  /** One of the leading sites' reports, if one of them is reliable. */
  readonly sample?: ReportSample
}

interface HomeOptions {
  /** The URLs of the service; left out where the page says why something is not audited. */
  readonly service?: Addresses
  readonly categories: ReadonlyArray<
    Pick<Category, "id" | "title" | "points" | "why"> & { readonly criteria: ReadonlyArray<{ readonly title: string }> }
  >
  /** `null` if nothing has been audited yet, or the store is unavailable. */
  readonly teaser: Teaser | null
  /** Why the submitted URL cannot be audited. */
  readonly refusal?: RefusedForm
}

const TITLE = "How well can an AI agent use your documentation?"
const DESCRIPTION =
  "Audit an API documentation site: how well can an AI agent find, read, call and act on it? A score with evidence for every point, and what to fix first."

/** The home page: what one gets, a field for a URL, the other ways in, and what is checked. */
export const homePage = ({ categories, refusal, service, teaser }: HomeOptions): VNode =>
  layout({
    title: refusal === undefined ? TITLE : "Not audited",
    description: DESCRIPTION,
    path: "/",
    robots: refusal === undefined ? "index" : "noindex",
    wide: true,
    styles: ["home.css"],
    scripts: ["submit.js", "copy.js"],
    head:
      service === undefined
        ? null
        : pageMetadata({
            base: service.base,
            url: `${service.base}/`,
            type: "WebPage",
            title: TITLE,
            description: DESCRIPTION,
            above: []
          }),
    content: html`
      <div class=${teaser?.sample === undefined ? "home" : "home home-split"}>
        <div>
          <h1>${TITLE}</h1>
          <p class="lead">docgauge reads an API documentation site the way agents do and reports how well they can find, read, call and act on it: a score out of 100, the evidence behind every point, and what to fix first.</p>
          ${auditForm(refusal)}
        </div>
        ${teaser?.sample === undefined ? null : sampleReport(teaser.sample)}
      </div>
      ${service === undefined ? null : waysIn(service)}
      ${checks(categories)}
      ${teaser === null || teaser.summary.sites === 0 ? null : corpus(teaser)}`
  })

const waysIn = ({ docs, mcp }: Addresses): Content => {
  const docsPath = (slug: string): string => pathOf(pageUrl(docs, slug))
  return html`
  <section aria-labelledby="ways-in">
    <h2 id="ways-in">Three ways in</h2>
    <ul class="cards plain-list ways">
      <li class="card">
        <h3>On this page</h3>
        <p>Enter a URL. You get a report with a link to share, a badge for your README, and a plan for your coding agent.</p>
        <p><a href="#base-url">Enter a URL</a></p>
      </li>
      <li class="card">
        <h3>In a terminal or CI</h3>
        <p>Audit any site, also on localhost or before you deploy it, and fail a build when the score falls.</p>
        ${command("npx docgauge https://docs.example.com")}
        <p><a href=${docsPath("cli")}>Command line</a></p>
      </li>
      <li class="card">
        <h3>In your agent</h3>
        <p>Give Claude Code, Cursor or another MCP client the tools to audit a site and to fix what it finds.</p>
        ${command(`claude mcp add --transport http docgauge ${mcp}`)}
        <p><a href=${docsPath("mcp-server")}>MCP server</a></p>
      </li>
    </ul>
  </section>`
}

const command = (line: string): VNode =>
  html`<div class="code-block" data-code=""><pre tabindex="0"><code>${line}</code></pre></div>`

const checks = (categories: HomeOptions["categories"]): Content => html`
  <section aria-labelledby="looked-at">
    <h2 id="looked-at">What we check</h2>
    <p class="soft">${counted(
      categories.reduce((sum, { criteria }) => sum + criteria.length, 0),
      "criterion",
      "criteria"
    )} in ${counted(categories.length, "category", "categories")}. Every point has evidence that you can check: the URL, the response, and what was missing.</p>
    <dl class="looked-at">${categories.map(
      ({ criteria, id, points, title, why }) => html`
      <div>
        <dt><a href=${`/rubric#${id.slice(0, 1)}`}>${title}</a> <span class="soft nowrap">${counted(points, "point")}</span></dt>
        <dd>${why}</dd>
        <dd class="checks">${criteria.slice(0, SHOWN).map((criterion) => html`<span>${codedText(criterion.title)}</span>`)}${criteria.length > SHOWN ? html`<span>and ${criteria.length - SHOWN} more</span>` : null}</dd>
      </div>`
    )}
    </dl>
    <p><a href="/rubric">The full rubric, criterion by criterion</a></p>
  </section>`

/** Criteria of a category that are named here. */
const SHOWN = 3

const corpus = ({ latest, leading, summary }: Teaser): Content => html`
  <section aria-labelledby="corpus">
    <h2 id="corpus">Audited so far</h2>
    <p class="soft">${counted(summary.sites, "site")} in ${counted(summary.runs, "audit")}; ${summary.averageScore} points on average.</p>
    <div class="home-lists">
      <div>
        <h3>Latest</h3>
        <ul class="site-scores">${latest.map(({ id, reliable, site, totalScore }) => entry(`/r/${id}`, site, score(totalScore ?? 0, reliable === true)))}</ul>
      </div>
      <div>
        <h3>Leading</h3>
        <ul class="site-scores">${leading.map(({ latestScore, reliable, site }) => entry(sitePath(site), site, score(latestScore, reliable)))}</ul>
      </div>
    </div>
    <p><a href="/browse">Browse all sites</a></p>
  </section>`

const entry = (path: string, site: string, points: VNode): VNode =>
  html`<li><a href=${path}>${siteLabel(site, 80)}</a> ${points}</li>`

/** A report of this service that shows what one gets. */
interface ReportSample {
  readonly id: string
  readonly site: string
  readonly report: AuditReport
}

/** Fixes of the sample; the report has all of them. */
const SAMPLE_FIXES = Math.min(3, FIRST_FIXES)

/** The head of a real report, as a card that leads to it. */
const sampleReport = ({ id, report, site }: ReportSample): VNode => {
  const level = levelClass(report.total_score, report.max_score, report.reliability.reliable)
  return html`
  <section class="sample card" aria-labelledby="sample">
    <p class="sample-kind">A real report, audited ${day(report.audit_date)}</p>
    <h2 id="sample"><a href=${`/r/${id}`}>${siteLabel(site, 60)}</a></h2>
    <div class="sample-score">
      ${dial(report.total_score, report.max_score, level)}
      <p><strong>${report.total_score}</strong> <span class="soft">of ${allOf(report)}</span><span class=${`sample-verdict ${level}`}>${report.verdict}</span></p>
    </div>
    <ul class="sample-categories" aria-label="Points by category">${reportView(report).categories.map(
      ({ applies, max, score, title }) => html`
      <li><span>${title}${applies ? null : html` <span class="soft small">${DOES_NOT_APPLY}</span>`}</span> <span class="number">${applies ? score : "–"}<span class="soft"> / ${max}</span></span>
        ${shareBar({ share: score / Math.max(1, max), height: 6 })}
      </li>`
    )}
    </ul>
    ${firstFixes(fixList(report).fixes.slice(0, SAMPLE_FIXES))}
    <p class="sample-more"><a href=${`/r/${id}`}>Open this report</a></p>
  </section>`
}

/** The share of the points as an arc like that of our mark; the number is beside it. */
const dial = (score: number, max: number, level: string): VNode => html`
  <svg class=${`sample-dial ${level}`} viewBox="0 0 100 56" width="116" height="65" aria-hidden="true" focusable="false">
    <path class="dial-track" d="M8 50a42 42 0 0 1 84 0" pathLength="100"/>
    ${score === 0 ? null : html`<path class="dial-value" d="M8 50a42 42 0 0 1 84 0" pathLength="100" stroke-dasharray=${`${Math.round((score / Math.max(1, max)) * 100)} 200`}/>`}
  </svg>`

const firstFixes = (fixes: ReadonlyArray<Fix>): Content =>
  fixes.length === 0
    ? null
    : html`
    <h3>Fix first</h3>
    <ol class="sample-fixes">${fixes.map(
      (fix) => html`
      <li><span class="sample-gain">${gain(fix)}</span> <span>${rubricText(fix.criterion.title)} ${fix.criterion.remedy === null ? null : html`<span class="soft small nowrap">${effortText(fix.criterion.remedy.effort)}</span>`}</span></li>`
    )}
    </ol>`
