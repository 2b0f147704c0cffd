import { flagText } from "../../../engine/audit/FlagText.ts"
import { OVERLONG_LINKS } from "../../../engine/audit/CutTexts.ts"
import type { Reliability } from "../../../engine/audit/Report.ts"
import { counted } from "../charts/Figures.ts"
import { type Content, html } from "../kit/Html.ts"

const REASONS: Readonly<Record<Reliability["skipped"][number]["reason"], string>> = {
  requests: "the limit on requests",
  bytes: "the limit on bytes",
  deadline: "the end of the time",
  size: "the limit on the size of an answer",
  unresponsive: "the site ran out of time again and again"
}

const totalOf = (skipped: Reliability["skipped"]): number => skipped.reduce((sum, { count }) => sum + count, 0)

/** What a reader must know before trusting the score; nothing where there is nothing. */
export const warnings = ({ coverage, flags, reliable, skipped }: Reliability): Content => {
  const answers = skipped.filter(({ collector }) => collector !== OVERLONG_LINKS)
  const missing = totalOf(answers)
  const links = totalOf(skipped.filter(({ collector }) => collector === OVERLONG_LINKS))
  const reasons = [...new Set(answers.map(({ reason }) => REASONS[reason]))]
  const said = [
    ...flags.map((flag) => flagText[flag]),
    ...(coverage < 1 ? [`Evidence could be had for ${Math.round(coverage * 100)} of 100 points.`] : []),
    ...(missing === 0 ? [] : [`${counted(missing, "answer")} ${missing === 1 ? "is" : "are"} missing or cut: ${reasons.join(", ")}.`]),
    ...(links === 0 ? [] : [`${counted(links, "link")} ${links === 1 ? "was" : "were"} left out: URLs of more than 4,096 characters aren't read.`])
  ]
  if (reliable && said.length === 0) return null
  return html`
    <div class=${reliable ? "warning" : "warning warning-strong"} role="note" aria-label="Reliability">
      <p><strong>${reliable ? "To know when reading this score" : "Not reliable: read this score with care"}</strong></p>
      <ul>${said.map((text) => html`<li>${text}</li>`)}</ul>
    </div>`
}
