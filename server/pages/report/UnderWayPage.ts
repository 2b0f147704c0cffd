import type { Run } from "../../../engine/store/Run.ts"
import { html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { siteName } from "./Audited.ts"

/** How often the page loads itself anew where there is no script, in seconds. */
const REFRESH = 4

/** The page of a run that waits or is under way: how far it is. It turns into the report by itself, with a script or without. */
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
        <p class="soft">It takes a minute or two, and goes on if you leave: come back to this address. <noscript>This page loads itself anew every ${REFRESH} seconds.</noscript></p>
      </div>`
  })
}

const stateText = (status: Run["status"]): string =>
  status === "pending" ? "Waiting for its turn." : "Fetching pages, politely, and measuring what they offer to agents."

const countText = (done: number, total: number): string => (total === 0 ? "Not begun yet." : `${done} of ${total} criteria measured.`)
