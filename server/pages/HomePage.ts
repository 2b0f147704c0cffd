import type { Category } from "../../engine/rubric/Rubric.ts"
import type { CorpusSummary, SiteSummary } from "../../engine/store/RunStore.ts"
import type { Run } from "../../engine/store/Run.ts"
import { plainText } from "../../engine/audit/PlainText.ts"
import { sitePath } from "./browse/PageQuery.ts"
import { score } from "./browse/Score.ts"
import { counted } from "./charts/Figures.ts"
import { type AuditRefusal, auditForm } from "./AuditForm.ts"
import { type Content, html, type VNode } from "./kit/Html.ts"
import { layout } from "./kit/Layout.ts"

/** What of the corpus is shown on the first page. */
export interface Teaser {
  readonly summary: CorpusSummary
  readonly latest: ReadonlyArray<Run>
  readonly leading: ReadonlyArray<SiteSummary>
}

export interface HomeOptions {
  readonly categories: ReadonlyArray<Pick<Category, "id" | "title" | "points" | "why">>
  /** `null` where nothing was audited yet, or nothing is known of it. */
  readonly teaser: Teaser | null
  /** Why what was typed is not audited. */
  readonly refusal?: AuditRefusal
}

/** The first page: what this is, one field, one button. */
export const homePage = ({ categories, refusal, teaser }: HomeOptions): VNode =>
  layout({
    title: refusal === undefined ? "How well can an AI agent use your documentation?" : "Not audited",
    description: "Audit an API documentation site: how well can an AI agent find, read, call and act on it? A score with evidence for every point, and what to mend first.",
    path: "/",
    robots: refusal === undefined ? "index" : "noindex",
    styles: ["home.css"],
    scripts: ["submit.js"],
    content: html`
      <div class="home">
        <h1>How well can an AI agent use your documentation?</h1>
        <p class="lead">docgauge reads an API documentation site the way agents do, and tells how well they can find, read, call and act on it: a score out of 100, the evidence behind every point, and what to mend first.</p>
        ${auditForm(refusal)}
      </div>
      <section aria-labelledby="looked-at">
        <h2 id="looked-at">What is looked at</h2>
        <dl class="looked-at">${categories.map(({ points, title, why }) => html`
          <div>
            <dt>${title} <span class="soft nowrap">${counted(points, "point")}</span></dt>
            <dd>${why}</dd>
          </div>`)}
        </dl>
        <p><a href="/rubric">The whole rubric, criterion by criterion</a></p>
      </section>
      ${teaser === null || teaser.summary.sites === 0 ? null : corpus(teaser)}`
  })

const corpus = ({ latest, leading, summary }: Teaser): Content => html`
  <section aria-labelledby="corpus">
    <h2 id="corpus">Audited so far</h2>
    <p class="soft">${counted(summary.sites, "site")} in ${counted(summary.runs, "audit")}; ${summary.averageScore} points on average.</p>
    <div class="home-lists">
      <div>
        <h3>Latest</h3>
        <ul class="site-scores">${latest.map(({ id, site, totalScore }) => entry(`/r/${id}`, site, totalScore ?? 0))}</ul>
      </div>
      <div>
        <h3>Leading</h3>
        <ul class="site-scores">${leading.map(({ bestScore, site }) => entry(sitePath(site), site, bestScore))}</ul>
      </div>
    </div>
    <p><a href="/browse">Browse all sites</a></p>
  </section>`

const entry = (path: string, site: string, points: number): VNode => html`<li><a href=${path}>${plainText(site, 80)}</a> ${score(points)}</li>`
