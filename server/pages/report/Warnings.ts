import { flagTexts } from "../../../engine/audit/render/SectionWords.ts"
import { OVERLONG_LINKS } from "../../../engine/audit/CutTexts.ts"
import type { AuditReport, Reliability } from "../../../engine/audit/Report.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html } from "../kit/Html.ts"

const REASONS: Readonly<Record<Reliability["skipped"][number]["reason"], string>> = {
  requests: "the request limit",
  bytes: "the byte limit",
  deadline: "the time limit",
  size: "the size limit of a response",
  unresponsive: "timeouts of the site",
  rate_limited: "the site's rate limit"
}

const totalOf = (skipped: Reliability["skipped"]): number => skipped.reduce((sum, { count }) => sum + count, 0)

/** Warnings about the reliability of the score, if there are any. */
export const warnings = (report: Pick<AuditReport, "criteria" | "experimental" | "reliability">): Content => {
  const { coverage, reliable, skipped } = report.reliability
  const answers = skipped.filter(({ collector }) => collector !== OVERLONG_LINKS)
  const missing = totalOf(answers)
  const links = totalOf(skipped.filter(({ collector }) => collector === OVERLONG_LINKS))
  const reasons = [...new Set(answers.map(({ reason }) => REASONS[reason]))]
  const said = [
    ...flagTexts(report),
    ...(coverage < 1 ? [`We could check only ${Math.round(coverage * 100)} of 100 points.`] : []),
    ...(missing === 0
      ? []
      : [
          `${counted(missing, "response")} ${missing === 1 ? "is" : "are"} missing or cut because of ${reasons.join(", ")}.`
        ]),
    ...(links === 0
      ? []
      : [
          `${counted(links, "link")} ${links === 1 ? "was" : "were"} left out: URLs of more than 4,096 characters aren't read.`
        ])
  ]
  if (reliable && said.length === 0) return null
  return html`
    <div class=${reliable ? "warning warning-mild" : "warning warning-strong"} role="note" aria-label="Reliability">
      <p><strong>${reliable ? "Notes on this score" : "Not reliable: read this score with care"}</strong></p>
      <ul>${said.map((text) => html`<li>${text}</li>`)}</ul>
    </div>`
}
