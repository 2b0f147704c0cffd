import { fixList, gainText } from "../../engine/audit/FixFirst.ts"
import { counted, scoreWords } from "../../engine/criterion/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { gateFailure } from "../gate/Gates.ts"
import type { AuditedSite } from "./ConfiguredSite.ts"

/** Fixes that are named for each of several sites. */
const FIXES = 3

/** A site in the summary of several: its score, its goals, and what to fix first. */
export const auditedSiteText = ({ gate, report, site }: AuditedSite): string => {
  const {
    max_score: max,
    reliability: { reliable },
    total_score: score,
    verdict
  } = report
  const fixes = fixList(report)
    .fixes.slice(0, FIXES)
    .map((fix) => `${fix.criterion.id} (${gainText(fix)})`)
  return [
    plainText(site.url, 200),
    `  ${scoreWords(score, reliable)} of ${max}, ${reliable ? verdict : "not reliable"}; ${goalsText({ gate })}`,
    ...(fixes.length === 0 ? [] : [`  Fix first: ${fixes.join(", ")}`])
  ].join("\n")
}

const goalsText = ({ gate }: Pick<AuditedSite, "gate">): string => {
  if (gate.unreliable !== null) return "goals not judged"
  const { checks } = gate
  if (checks.length === 0) return "no goals"
  const parts = (
    [
      ["missed", "missed"],
      ["unchecked", "not known"],
      ["skipped", "not judged"]
    ] as const
  ).flatMap(([outcome, word]) => {
    const count = checks.filter((check) => check.outcome === outcome).length
    return count === 0 ? [] : [`${count} of ${counted(checks.length, "goal")} ${word}`]
  })
  return parts.length === 0 ? `${counted(checks.length, "goal")} met` : parts.join(", ")
}

/** The last line of the summary; `null`: a site that could not be audited. */
export const summaryLine = (sites: ReadonlyArray<AuditedSite | null>): string => {
  const audited = sites.flatMap((site) => site ?? [])
  const missing = sites.length - audited.length
  const failing = audited.filter(({ gate }) => gateFailure(gate) !== null).length
  return `\n${counted(sites.length, "site")}: ${audited.length - failing} meet their goals, ${failing} do not${missing === 0 ? "" : `, ${missing} could not be audited`}.`
}
