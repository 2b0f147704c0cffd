import { plainText } from "../text/PlainText.ts"
import type { AuditReport } from "./Report.ts"

/** `docs-ai-readiness 2.0.0`, `docs-ai-readiness 3.0.0 (draft)`, or `docs-ai-readiness 2.0.0, changed by house.yaml`. */
export const rubricName = ({ changed_by: file, draft, id, version }: AuditReport["rubric"]): string =>
  `${plainText(id, 60)} ${plainText(version, 20)}${draft === true ? " (draft)" : ""}${file === undefined ? "" : changeText(plainText(file, 100))}`

const changeText = (file: string): string => (file === "" ? ", changed" : `, changed by ${file}`)

/** The names of two rubrics, with their digests if both have one version. */
export const namesOfBoth = (from: AuditReport["rubric"], to: AuditReport["rubric"]): readonly [string, string] => {
  const digestOf = ({ digest }: AuditReport["rubric"]): string =>
    from.version === to.version ? ` (${plainText(digest, 16)})` : ""
  return [`${rubricName(from)}${digestOf(from)}`, `${rubricName(to)}${digestOf(to)}`]
}
