import type { Run } from "../../../engine/store/runs/Run.ts"
import { html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { siteName } from "../kit/Audited.ts"

/** How often the page reloads itself without a script, in seconds. */
const REFRESH = 4

/** The page of an unfinished run with its progress. It turns into the report, with or without a script. */
export const underWayPage = ({ id, progress: { done, total }, status, url }: Run): VNode => {
  const name = siteName(url)
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
        <h1>${name}</h1>
        <p class="lead" data-state>${stateText(status)}</p>
        <label class="visually-hidden" for="progress">Criteria measured</label>
        <progress id="progress" max=${total > 0 ? total : undefined} value=${total > 0 ? done : undefined} data-progress></progress>
        <p class="soft" role="status" data-count>${countText(done, total)}</p>
        <p class="soft">Usually under 30 seconds. You can close this page and come back. <noscript>This page reloads every ${REFRESH} seconds.</noscript></p>
      </div>`
  })
}

const stateText = (status: Run["status"]): string =>
  status === "pending" ? "Waiting for its turn." : "Fetching pages, politely, and measuring what they offer to agents."

const countText = (done: number, total: number): string => (total === 0 ? "Not begun yet." : `${done} of ${total} criteria measured.`)
