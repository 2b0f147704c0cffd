import { siteOfLlmsTxt } from "../../../engine/audit/AuditRequest.ts"
import { counted } from "../../../engine/plugin/Wording.ts"
import type { Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { placeOn } from "../../../engine/report/ReportView.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { quotedText, shareBar, siteHeading, siteName } from "../../../engine/report/html/Parts.ts"
import { auditForm } from "../kit/AuditForm.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout } from "../kit/Layout.ts"

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
  /** Whether another audit is unfinished that was asked for before. */
  readonly isBehind: boolean
  readonly rubric: Pick<Rubric, "categories">
}

/**
 * The page of an unfinished run: the categories as they fill, and what is fetched. It turns into the report. The script replaces
 * what is in `data-live` by what the same page has then; without it, the page reloads itself.
 */
export const underWayPage = ({ isBehind, rubric, run, seconds, usual }: RunUnderWay): VNode => {
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
        <p class="lead" role="status" data-state>${stateText(status, isBehind, done, total)}</p>
        <label class="visually-hidden" for="progress">Criteria measured</label>
        <progress id="progress" max=${total > 0 ? total : undefined} value=${total > 0 ? done : undefined} data-progress></progress>
        <p class="soft under-way-facts"><span data-count>${countText(status, done, total)}</span> <span><span data-seconds=${seconds}>${secondsText(seconds)}</span> so far${usual === null ? "" : `; audits here usually take ${secondsText(usual)}`}.</span></p>
        <div class="under-way-steps" data-live>
          <ul class="category-bars" aria-label="Criteria measured by category">${rubric.categories.map((category) => categoryRow(category, criteria))}</ul>
          <div>
            <h2>Fetched last</h2>
            <ol class="last-urls" aria-label="URLs fetched last, the newest first">
              ${urls.slice(0, URLS).map((fetched) => html`<li>${quotedText(placeOn(origin, fetched))}</li>`)}
              ${urls.length > 0 ? null : html`<li class="soft">Nothing yet.</li>`}
            </ol>
          </div>
        </div>
        <p class="soft">You can close this page and come back: its URL stays. <noscript>This page reloads every ${REFRESH} seconds.</noscript></p>
      </div>`
  })
}

const categoryRow = ({ criteria, id, title }: Rubric["categories"][number], measured: ReadonlyArray<string>): VNode => {
  const done = criteria.filter((criterion) => measured.includes(criterion.id)).length
  return html`
    <li>
      <span>${title}</span> <span class="number">${done}<span class="soft"> of ${criteria.length}</span></span>
      ${shareBar({ share: done / criteria.length, height: 8, category: id })}
    </li>`
}

const stateText = (status: Run["status"], isBehind: boolean, done: number, total: number): string => {
  if (status === "pending")
    return isBehind
      ? "Waiting for its turn: other audits come first."
      : "Accepted. The audit begins as soon as a worker is ready."
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

/** The page of a run that ended without a report: what went wrong, what to do, and the form to try again. */
export const failedPage = (run: Run): VNode => {
  const { error, id, url } = run
  const name = siteName(url)
  return layout({
    title: `${name} could not be audited`,
    path: `/r/${id}`,
    robots: "noindex",
    styles: ["home.css", "report.css"],
    scripts: ["submit.js"],
    content: html`
      <div class="failed">
        <p class="eyebrow">No report on</p>
        <h1>${siteHeading(url)}</h1>
        <p class="lead">${plainText(error?.message ?? "The audit failed.")}</p>
        <h2>What to do</h2>
        <ul>${adviceFor(run).map((text) => html`<li>${text}</li>`)}</ul>
        ${auditForm({ text: "", typed: plainText(siteOfLlmsTxt(url) ?? url, 2_048) })}
      </div>`
  })
}

/** That a page is missing, moved or broken, or that the URL is a file: no firewall has a part in it. */
const NO_FIREWALL = / answers (?:404|410|[35]\d\d)\b|, not a page: audit /

const adviceFor = ({ error, url }: Pick<Run, "error" | "url">): ReadonlyArray<Content> => {
  const { code = null, message = "" } = error ?? {}
  if (code === "internal") return ["The fault is ours, and has been logged. Try again in a while."]
  if (code === "audit_failed") {
    if (siteOfLlmsTxt(url) !== null) return ["Audit the site of the llms.txt instead: the form has its URL."]
    return [
      "Open the URL in a browser: it has to show a page without a login.",
      ...(NO_FIREWALL.test(message)
        ? []
        : [html`If a firewall blocks bots, allow ours: <a href="/bot">how our bot identifies itself</a>.`]),
      "Use the docs URL (docs.example.com), not the company's home page."
    ]
  }
  return [
    "Check the URL for typos.",
    "Open it in a browser: if it does not load there, we can't read it either.",
    "If the site was down, try again later."
  ]
}
