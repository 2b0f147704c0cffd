import { describe, expect, it } from "vitest"
import { renderHtml } from "../../../engine/report/html/HtmlReport.ts"
import { plain } from "../../../cli/render/Style.ts"
import { renderText } from "../../../cli/render/TextReport.ts"
import { renderMarkdown } from "../../../engine/report/MarkdownReport.ts"
import { namesOfBoth, rubricName } from "../../../engine/audit/Report.ts"
import { someReport } from "../../audit/SomeReport.ts"

const published = someReport()
const changed = someReport({ rubric: { ...published.rubric, changed_by: "house.yaml" } })
const WORDS = { verdicts: [], why: new Map<string, string>() }
const NAME = "docs-ai-readiness 1.0.0, changed by house.yaml"

describe("a report by a rubric that changes the published one", () => {
  it("says so in its heading in text, Markdown and HTML", () => {
    expect(renderText(changed, { width: 80, style: plain })).toContain(NAME)
    expect(renderMarkdown(changed)).toContain(`with ${NAME}.`)
    expect(renderHtml(changed, { words: WORDS })).toContain(`rubric ${NAME} `)
    expect(renderText(published, { width: 80, style: plain })).not.toContain("changed")
  })

  it("says only that it is changed where no file is named, and prints the name of a file as plain text", () => {
    expect(rubricName({ ...published.rubric, changed_by: "" })).toBe("docs-ai-readiness 1.0.0, changed")
    expect(rubricName({ ...published.rubric, changed_by: "a\u001b[31m\nb" })).not.toMatch(/[\u001b\n]/)
  })

  it("is told from one by another rubric of the same version by the digest", () => {
    expect(namesOfBoth(published.rubric, { ...changed.rubric, digest: "sha256:def" })).toEqual([
      "docs-ai-readiness 1.0.0 (sha256:abc)",
      `${NAME} (sha256:def)`
    ])
    expect(namesOfBoth(published.rubric, { ...changed.rubric, version: "2.0.0" })).toEqual([
      "docs-ai-readiness 1.0.0",
      "docs-ai-readiness 2.0.0, changed by house.yaml"
    ])
  })
})
