import type { Run } from "../../../engine/store/runs/Run.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { auditForm } from "../kit/AuditForm.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { siteHeading, siteName } from "../kit/Audited.ts"

/** The page of a run that ended without a report: what went wrong, what to do, and the form to try again. */
export const failedPage = ({ error, id, url }: Run): VNode => {
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
        <ul>${adviceFor(error?.code ?? null).map((text) => html`<li>${text}</li>`)}</ul>
        ${auditForm({ text: "", typed: plainText(url, 2_048) })}
      </div>`
  })
}

const adviceFor = (code: string | null): ReadonlyArray<Content> => {
  if (code === "internal") return ["The fault is ours, and has been logged. Try again in a while."]
  if (code === "audit_failed") {
    return [
      "Open the URL in a browser: it has to show a page without a login.",
      html`If a firewall blocks bots, allow ours: <a href="/bot">how our bot identifies itself</a>.`,
      "Use the docs URL (docs.example.com), not the company's home page."
    ]
  }
  return [
    "Check the URL for typos.",
    "Open it in a browser: if it does not load there, we can't read it either.",
    "If the site was down, try again later."
  ]
}
