import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { shareBar } from "../kit/ScoreBar.ts"
import { html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { quotedText, siteHeading, siteName } from "../kit/Audited.ts"

/** How often the page reloads itself without a script, in seconds. */
const REFRESH = 4

/** URLs that are shown; empty lines keep the place of those to come. */
const URLS = 5

export interface RunUnderWay {
  readonly run: Run
  /** How long ago the audit was asked for, in seconds. */
  readonly seconds: number
  /** How long audits usually take here, in seconds; `null` before there are enough. */
  readonly usual: number | null
  readonly rubric: Pick<Rubric, "categories">
}

/**
 * The page of an unfinished run: the categories as they fill, and what is fetched. It turns into the report. The script replaces
 * what is in `data-live` by what the same page has then; without it, the page reloads itself.
 */
export const underWayPage = ({ rubric, run, seconds, usual }: RunUnderWay): VNode => {
  const {
    id,
    progress: { criteria = [], done, total, urls = [] },
    status,
    url
  } = run
  const name = siteName(url)
  const origin = URL.parse(url)?.origin ?? ""
  return layout({
    title: `Auditing ${name}`,
    path: `/r/${id}`,
    robots: "noindex",
    styles: ["report.css"],
    scripts: ["progress.js"],
    head: html`<noscript><meta http-equiv="refresh" content=${REFRESH}/></noscript>`,
    content: html`
      <div class="under-way" data-run=${id}>
        <p class="eyebrow">Auditing</p>
        <h1>${siteHeading(url)}</h1>
        <p class="lead" role="status" data-state>${stateText(status, done, total)}</p>
        <label class="visually-hidden" for="progress">Criteria measured</label>
        <progress id="progress" max=${total > 0 ? total : undefined} value=${total > 0 ? done : undefined} data-progress></progress>
        <p class="soft under-way-facts"><span data-count>${countText(status, done, total)}</span> <span><span data-seconds=${seconds}>${secondsText(seconds)}</span> so far${usual === null ? "" : `; audits here usually take ${secondsText(usual)}`}.</span></p>
        <div class="under-way-steps" data-live>
          <ul class="category-bars" aria-label="Criteria measured by category">${rubric.categories.map((category) => categoryRow(category, criteria))}</ul>
          <div>
            <h2>Fetched last</h2>
            <ol class="last-urls" aria-label="URLs fetched last, the newest first">
              ${urls.slice(0, URLS).map((fetched) => html`<li>${quotedText(withoutOrigin(fetched, origin))}</li>`)}
              ${urls.length > 0 ? null : html`<li class="soft">Nothing yet.</li>`}
            </ol>
          </div>
        </div>
        <p class="soft">You can close this page and come back: its URL stays. <noscript>This page reloads every ${REFRESH} seconds.</noscript></p>
      </div>`
  })
}

const withoutOrigin = (url: string, origin: string): string =>
  url.startsWith(`${origin}/`) ? url.slice(origin.length) : url

const categoryRow = ({ criteria, id, title }: Rubric["categories"][number], measured: ReadonlyArray<string>): VNode => {
  const done = criteria.filter((criterion) => measured.includes(criterion.id)).length
  return html`
    <li>
      <span>${title}</span> <span class="number">${done}<span class="soft"> of ${criteria.length}</span></span>
      ${shareBar({ share: done / criteria.length, height: 8, category: id })}
    </li>`
}

const stateText = (status: Run["status"], done: number, total: number): string => {
  if (status === "pending") return "Waiting for its turn: other audits come first."
  return total > 0 && done === total
    ? "Everything is measured; writing the report."
    : "Fetching pages, politely, and measuring what they offer to agents."
}

const countText = (status: Run["status"], done: number, total: number): string => {
  if (total > 0) return `${done} of ${total} criteria measured, those on trial included.`
  return status === "pending" ? "Not begun yet." : "Nothing measured yet."
}

const secondsText = (seconds: number): string => {
  if (seconds < 100) return counted(Math.max(1, seconds), "second")
  return counted(Math.round(seconds / 60), "minute")
}
