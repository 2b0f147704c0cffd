import { expect } from "vitest"
import { stripVTControlCharacters } from "node:util"
import { load } from "cheerio"
import { render } from "preact-render-to-string"
import { plain } from "../../cli/render/Style.ts"
import { renderText } from "../../cli/render/TextReport.ts"
import { FIRST_FIXES, fixList } from "../../engine/audit/FixFirst.ts"
import { renderMarkdown } from "../../engine/report/MarkdownReport.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { LoadedRubric } from "../../engine/rubric/RubricFile.ts"
import { reportText } from "../../server/mcp/features/SiteText.ts"
import { html } from "../../engine/report/html/Html.ts"
import { fixFirst } from "../../engine/report/html/HtmlReport.ts"
import { reportView } from "../../engine/report/ReportView.ts"

/** Steps are split by the facts: what is advised is not done, and what is done is not advised; nothing without facts. */
export const expectStepsByFacts = (report: AuditReport, { criteria }: LoadedRubric<unknown>): void => {
  for (const { id, max, measured, remedy, score, status } of report.criteria) {
    const steps = criteria.find(({ definition }) => definition.id === id)?.steps ?? []
    expect(remedy === null, `${id} has a remedy exactly if points are missing`).toBe(score === max)
    if (remedy === null) continue
    const { facts, uncertain = {} } = measured
    const done =
      facts === null || status === "inconclusive" ? null : steps.map(({ unless }) => unless?.holds(facts) === true)
    expect(remedy.steps, `steps of ${id} that are left`).toEqual(
      done === null ? [] : steps.filter((_, index) => done[index] === false).map(({ text }) => text)
    )
    expect(remedy.steps_done, `steps of ${id} that are done`).toEqual(
      done === null
        ? []
        : steps
            .filter(
              ({ unless }, index) =>
                done[index] === true && unless?.reads.every((name) => !Object.hasOwn(uncertain, name)) === true
            )
            .map(({ text }) => text)
    )
    if (done !== null) expect(remedy.steps.length, `steps of ${id}`).toBeGreaterThan(0)
  }
}

/** The first rows have nothing that cannot be fixed yet, is not known, or does not apply. */
export const expectFirstRowsToBeFixable = (report: AuditReport, { criteria }: LoadedRubric<unknown>): void => {
  const earned = new Map(report.criteria.map(({ id, score }) => [id, score]))
  for (const {
    criterion: { applicable, id, score, status }
  } of fixList(report).fixes.slice(0, FIRST_FIXES)) {
    expect(status, `${id} is known`).not.toBe("inconclusive")
    expect(applicable, `${id} applies`).toBe(true)
    const needs = criteria.find(({ definition }) => definition.id === id)?.definition.needs ?? []
    if (score === 0 && needs.length > 0)
      expect(
        needs.some((need) => earned.get(need) !== 0),
        `something of what ${id} needs`
      ).toBe(true)
  }
}

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, id = ""]) => id)

/** The ids of the first fixes, in order, by surface. */
const firstFixesBySurface = (report: AuditReport): Readonly<Record<string, ReadonlyArray<string>>> => {
  const text = stripVTControlCharacters(renderText(report, { width: 100, style: plain }))
  const markdown = /^(?:### |- \*\*)([A-F]\d) .*?\+\d+, /gm
  const page = load(render(html`<div>${fixFirst(reportView(report), new Map())}</div>`))
  const all = {
    json: (report.fix_first ?? []).map(({ id }) => id),
    text: matches(text, /^ {2}([A-F]\d) .*\+\d+(?:, opens up to \+\d+)? {2}takes \w+$/gm),
    markdown: matches(renderMarkdown(report), markdown),
    mcp: matches(reportText(report), markdown),
    page: page(".fixes > li a[href^='#']")
      .toArray()
      .map((link) => (page(link).attr("href") ?? "").slice(1))
  }
  return Object.fromEntries(Object.entries(all).map(([surface, ids]) => [surface, ids.slice(0, FIRST_FIXES)]))
}

/** Text, Markdown, JSON, page and MCP name the same first fixes in the same order. */
export const expectOneOrder = (report: AuditReport): void => {
  const expected = fixList(report)
    .fixes.slice(0, FIRST_FIXES)
    .map(({ criterion }) => criterion.id)
  for (const [surface, ids] of Object.entries(firstFixesBySurface(report))) expect(ids, surface).toEqual(expected)
}
