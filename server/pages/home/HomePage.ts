import type { Category } from "../../../engine/rubric/Rubric.ts"
import type { CorpusSummary, SiteSummary } from "../../../engine/store/corpus/Corpus.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { sitePath } from "../kit/PageQuery.ts"
import { score } from "../kit/ScoreBar.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type AuditRefusal, auditForm } from "../kit/AuditForm.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { pageMetadata } from "../kit/Metadata.ts"

/** The part of the corpus that the home page shows. */
export interface Teaser {
  readonly summary: CorpusSummary
  readonly latest: ReadonlyArray<Run>
  readonly leading: ReadonlyArray<SiteSummary>
}

export interface HomeOptions {
  /** The URL of the service; left out where the page says why something is not audited. */
  readonly base?: string
  readonly categories: ReadonlyArray<Pick<Category, "id" | "title" | "points" | "why">>
  /** `null` if nothing has been audited yet, or the store is unavailable. */
  readonly teaser: Teaser | null
  /** Why the submitted URL cannot be audited. */
  readonly refusal?: AuditRefusal
}

const TITLE = "How well can an AI agent use your documentation?"
const DESCRIPTION =
  "Audit an API documentation site: how well can an AI agent find, read, call and act on it? A score with evidence for every point, and what to fix first."

/** The home page: a short description, one field, one button. */
export const homePage = ({ base, categories, refusal, teaser }: HomeOptions): VNode =>
  layout({
    title: refusal === undefined ? TITLE : "Not audited",
    description: DESCRIPTION,
    path: "/",
    robots: refusal === undefined ? "index" : "noindex",
    styles: ["home.css"],
    scripts: ["submit.js"],
    head: base === undefined ? null : pageMetadata({ base, url: `${base}/`, type: "WebPage", title: TITLE, description: DESCRIPTION, above: [] }),
    content: html`
      <div class="home">
        <h1>${TITLE}</h1>
        <p class="lead">docgauge reads an API documentation site the way agents do and reports how well they can find, read, call and act on it: a score out of 100, the evidence behind every point, and what to fix first.</p>
        ${auditForm(refusal)}
      </div>
      <section aria-labelledby="looked-at">
        <h2 id="looked-at">What we check</h2>
        <dl class="looked-at">${categories.map(({ points, title, why }) => html`
          <div>
            <dt>${title} <span class="soft nowrap">${counted(points, "point")}</span></dt>
            <dd>${why}</dd>
          </div>`)}
        </dl>
        <p><a href="/rubric">The full rubric, criterion by criterion</a></p>
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
        <ul class="site-scores">${latest.map(({ id, reliable, site, totalScore }) => entry(`/r/${id}`, site, score(totalScore ?? 0, reliable === true)))}</ul>
      </div>
      <div>
        <h3>Leading</h3>
        <ul class="site-scores">${leading.map(({ latestScore, reliable, site }) => entry(sitePath(site), site, score(latestScore, reliable)))}</ul>
      </div>
    </div>
    <p><a href="/browse">Browse all sites</a></p>
  </section>`

const entry = (path: string, site: string, points: VNode): VNode => html`<li><a href=${path}>${plainText(site, 80)}</a> ${points}</li>`
