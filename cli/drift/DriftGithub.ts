import { DRIFT_REASONS, type DriftFinding } from "../../engine/drift/Drift.ts"
import { command, SHOWN_ANNOTATIONS } from "../render/report/GithubAnnotations.ts"
import { descriptionPlace, type DriftOutcome, knownFindings } from "./DriftOutcome.ts"
import { countsText, likelyText, remarks } from "./DriftText.ts"

/** Workflow commands of GitHub Actions, a line each: a notice with the counts, an error for each new finding, a warning for each that is known. */
export const driftGithub = (outcome: DriftOutcome): string => {
  const annotation = (kind: "error" | "warning") => (finding: DriftFinding) =>
    command(kind, `docgauge drift: ${finding.kind}, ${DRIFT_REASONS[finding.reason]}`, textOf(finding))
  return `${[
    command("notice", "docgauge drift", [`${countsText(outcome)} ${outcome.url}`, ...remarks(outcome)].join("\n")),
    ...[...outcome.fresh].slice(0, SHOWN_ANNOTATIONS).map(annotation("error")),
    ...knownFindings(outcome).slice(0, SHOWN_ANNOTATIONS).map(annotation("warning"))
  ].join("\n")}\n`
}

const textOf = (finding: DriftFinding): string => {
  const { description, message, page } = finding
  return [
    message,
    likelyText(finding),
    page === null ? "" : `Page: ${page.url}`,
    description === null ? "" : `Description: ${descriptionPlace(description)}`
  ]
    .filter((line) => line !== "")
    .join("\n")
}
