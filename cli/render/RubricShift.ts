import { escapeMarkdown, markdownTable } from "../../engine/text/MarkdownText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { namesOfBoth } from "../../engine/audit/render/RubricName.ts"
import type { RubricShift, Shift, ShiftedCriterion } from "../../engine/audit/compare/RubricShift.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import { signed } from "../../engine/criterion/Wording.ts"
import type { TextOptions } from "./TextReport.ts"
import { block } from "./Wrap.ts"

/** A comparison of two of our reports under different rubrics. */
export interface RubricChangeBetween {
  readonly from: RubricShift["from"]
  readonly to: RubricShift["to"]
  /** `null` if the newer rubric is not available. */
  readonly shift: RubricShift | null
}

const headline = ({ from, shift, to }: RubricChangeBetween): ReadonlyArray<string> => {
  const differ = `The reports were judged by different rubrics: ${namesOfBoth(from, to).join(", then ")}.`
  if (shift === null)
    return [
      differ,
      "We can't tell changes of the site from changes of the rubric, because the newer rubric is unknown. Pass it with --rubric."
    ]
  return [differ, `${totalText(shift.total)}.`]
}

const totalText = ({ after, before, bySite, byRubric, rejudged }: Shift): string => {
  const scores = `From ${before} to ${after}`
  if (byRubric === null || bySite === null)
    return `${scores}; the table shows what the site changed, as far as that is known`
  return `${scores}: the rubric ${signed(byRubric)} (the older facts score ${rejudged} under the newer rubric), the site ${signed(bySite)}`
}

const isOfInterest = ({ bySite, byRubric }: ShiftedCriterion): boolean => byRubric !== 0 || bySite !== 0

const cell = (points: number | null): string => (points === null ? "?" : signed(points))

/** Which changes are due to the rubric and which to the site, for a terminal. */
export const renderShiftText = (change: RubricChangeBetween, { style, width }: TextOptions): ReadonlyArray<string> => {
  const rows = (change.shift?.criteria ?? []).filter(isOfInterest)
  return [
    ...headline(change).flatMap((line) => block(line, width, "").map(style.fair)),
    ...(rows.length === 0 ? [] : [`  ${style.dim("rubric  site")}`]),
    ...rows.map(
      ({ after, before, bySite, byRubric, id, reason, title }) =>
        `  ${cell(byRubric).padStart(6)}  ${cell(bySite).padStart(4)}  ${id} ${plainText(title, 60)}  ${before} → ${after}${reason === null ? "" : `  ${style.dim(reason)}`}`
    )
  ]
}

/** The same for a pull request. */
export const renderShiftMarkdown = (change: RubricChangeBetween): ReadonlyArray<string> => {
  const rows = (change.shift?.criteria ?? []).filter(isOfInterest)
  const rest = (change.shift?.criteria.length ?? 0) - rows.length
  return [
    ...headline(change).map(escapeMarkdown),
    "",
    ...(rows.length === 0
      ? []
      : [
          ...markdownTable(
            ["Id", "Criterion", "Before", "By the rubric", "By the site", "After", ""],
            rows.map(({ after, before, bySite, byRubric, id, reason, title }) => [
              id,
              escapeMarkdown(plainText(title, 80)),
              String(before),
              cell(byRubric),
              cell(bySite),
              String(after),
              escapeMarkdown(reason ?? "")
            ])
          ),
          "",
          `${counted(rest, "criterion", "criteria")} as before.`,
          ""
        ])
  ]
}
