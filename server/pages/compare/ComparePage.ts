import type { AuditReport } from "../../../engine/audit/Report.ts"
import type { RubricShift } from "../../../engine/audit/compare/RubricShift.ts"
import { counted, signed } from "../../../engine/plugin/Wording.ts"
import {
  columns,
  day,
  minute,
  scoreNumber,
  shareBar,
  siteHeading,
  siteName
} from "../../../engine/report/html/Parts.ts"
import { DOES_NOT_APPLY } from "../../../engine/report/ReportView.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout } from "../kit/Layout.ts"
import { compareForm, otherSiteForm } from "../report/Forms.ts"
import { pathWith } from "../kit/PageQuery.ts"
import {
  appliesTo,
  type ComparedRun,
  type CriterionPair,
  difference,
  earnedAlone,
  pairedCriteria,
  pairList,
  type RunComparison,
  type SideNames
} from "./RunComparison.ts"

/** Two runs, of one site or of two: their scores, categories, and criterion by criterion what was found in each. */
export const comparePage = (comparison: RunComparison): VNode => {
  const { earlier, here, other, sameSite } = comparison
  const names = namesOf(comparison)
  const title = sameSite
    ? `${siteName(here.report.base_url)}: what changed`
    : `${names.here.name} and ${names.other.name}`
  return layout({
    title,
    description: sameSite
      ? `What changed between two audits of ${siteName(here.report.base_url)}: points and findings of every criterion, before and after.`
      : `How well AI agents can use ${names.here.name} and ${names.other.name}: points and findings of every criterion, side by side.`,
    path: `/r/${here.run.id}/compare`,
    robots: "noindex",
    wide: true,
    styles: ["report.css", "compare.css"],
    content: html`
      <article class="compare">
        <p class="eyebrow">${sameSite ? "What changed" : "Two sites compared"}</p>
        <h1>${sameSite ? names.site : html`${names.here.label} <span class="versus">and</span> ${names.other.label}`}</h1>
        ${scores(comparison, names)}
        ${here.run.reliable && other.run.reliable ? null : html`<p class="warning">${sameSite ? "Not both scores are reliable, so the change isn't either." : "Not both scores are reliable, so neither is the difference."}</p>`}
        ${rubricNote(comparison)}
        ${categoryTable(comparison, names)}
        ${criteria(comparison, names)}
        <section class="no-print" aria-labelledby="compare-more">
          <h2 id="compare-more">Compare something else</h2>
          ${otherSiteForm({ runId: here.run.id })}
          ${compareForm(here.run.id, earlier, other.run.id)}
          ${sameSite ? null : html`<p><a href=${pathWith(`/r/${other.run.id}/compare`, { baseline: here.run.id })}>Show the same from the side of ${names.other.name}</a></p>`}
        </section>
      </article>`
  })
}

interface Names extends SideNames {
  readonly site: Content
}

/** Longer names are truncated where two are next to each other. */
const LONGEST_NAME = 40

const namesOf = ({ here, other, sameSite }: RunComparison): Names => {
  const site = siteHeading(here.report.base_url)
  const bySite = ({ report: { base_url: url }, run }: ComparedRun) => ({
    name: siteName(url, LONGEST_NAME),
    label: siteHeading(url, LONGEST_NAME),
    runId: run.id
  })
  if (!sameSite) return { site, order: ["here", "other"], here: bySite(here), other: bySite(other) }
  const named = (name: string, { run }: ComparedRun) => ({ name, label: name, runId: run.id })
  const isLater = other.run.startedAt < here.run.startedAt
  return {
    site,
    order: isLater ? ["other", "here"] : ["here", "other"],
    here: named(isLater ? "After" : "Before", here),
    other: named(isLater ? "Before" : "After", other)
  }
}

/** Points of the second run of the order less those of the first, of one site; here less there, of two. */
const deltaOf = ({ here, other, sameSite }: RunComparison, { order }: Names): number => {
  const lead = here.report.total_score - other.report.total_score
  return sameSite && order[0] === "here" ? -lead : lead
}

const scores = (comparison: RunComparison, names: Names): VNode => html`
  <ul class="compared-scores">
    ${names.order.map((side) => {
      const { report, run } = comparison[side]
      return html`
        <li>
          <span class="compared-name">${names[side].label}</span>
          <strong class="figure">${scoreNumber(report.total_score, run.reliable)}</strong>
          <span class="soft">${run.reliable ? report.verdict : "Not reliable"}. <a href=${`/r/${run.id}`}>${comparison.sameSite ? html`${minute(run.startedAt)} UTC` : html`Report of ${day(run.startedAt)}`}</a></span>
        </li>`
    })}
    <li>
      <span class="compared-name">${comparison.sameSite ? "Change" : "Difference"}</span>
      <strong class="figure" data-delta>${difference(deltaOf(comparison, names))}</strong>
      <span class="soft">${comparison.sameSite ? null : leadText(comparison, names)}</span>
    </li>
  </ul>`

const leadText = ({ here, other }: RunComparison, names: Names): string => {
  const lead = here.report.total_score - other.report.total_score
  const ahead =
    lead === 0
      ? "Both have the same score."
      : `${lead > 0 ? names.here.name : names.other.name} is ${counted(Math.abs(lead), "point")} ahead.`
  const earned = earnedAlone({ here, other })
  return [
    ahead,
    ...aloneText(names.here, earned.here, names.other),
    ...aloneText(names.other, earned.other, names.here)
  ].join(" ")
}

/** What one of two sites earned where the other has nothing to earn. It is no part of the lead, which can be smaller. */
const aloneText = ({ name }: SideNames["here"], earned: number, other: SideNames["here"]): ReadonlyArray<string> =>
  earned === 0 ? [] : [`${name} earned ${counted(earned, "point")} for criteria that do not apply to ${other.name}.`]

const rubricNote = ({ here, other, sameSite, shift }: RunComparison): Content => {
  if (sameSite) return shift === null ? null : shiftNote(other.report, here.report, shift)
  return here.report.rubric.digest === other.report.rubric.digest
    ? null
    : html`
    <p class="warning">The two were judged by different versions of the rubric (${here.report.rubric.version} and ${other.report.rubric.version}), so a few points may come from that.</p>`
}

const categoryTable = (comparison: RunComparison, names: Names): VNode => {
  const { here, other } = comparison
  const keys = [...new Set([here, other].flatMap(({ report }) => Object.keys(report.categories)))]
  const [first, second] = names.order
  return html`
    <section aria-labelledby="categories">
      <h2 id="categories">Categories</h2>
      <table class="compared-categories">
        <caption class="visually-hidden">Points by category in both audits</caption>
        ${columns(["rest", "points", "points", "figure"])}
        <thead><tr><th scope="col">Category</th><th scope="col" class="number">${shortName(names[first])}</th><th scope="col" class="number">${shortName(names[second])}</th><th scope="col" class="number">${comparison.sameSite ? "Change" : "Difference"}</th></tr></thead>
        <tbody>${keys.map((key) => {
          const pair = { here: here.report.categories[key], other: other.report.categories[key] }
          const lead = (pair.here?.score ?? 0) - (pair.other?.score ?? 0)
          const isTold = appliesTo(here.report, key) && appliesTo(other.report, key)
          return html`
            <tr data-key=${key.slice(0, 1)}>
              <th scope="row">${pair.here?.title ?? pair.other?.title ?? key}</th>
              ${names.order.map((side) => html`<td class="number">${pointsOf(pair[side], appliesTo(comparison[side].report, key))}</td>`)}
              <td class="number">${isTold ? difference(comparison.sameSite && first === "here" ? -lead : lead) : html`<span class="soft">–</span>`}</td>
            </tr>`
        })}
        </tbody>
      </table>
    </section>`
}

/** A name at the head of a narrow column. */
const shortName = ({ label, name }: SideNames["here"]): Content =>
  html`<span class="column-name" title=${name}>${label}</span>`

const pointsOf = (category: AuditReport["categories"][string] | undefined, applies: boolean): Content => {
  if (category === undefined) return "–"
  return applies
    ? html`${category.score}<span class="soft of-points"> / ${category.max}</span>${shareBar({ name: "category-share", share: category.score / Math.max(1, category.max), height: 4 })}`
    : html`<span class="soft unjudged">${DOES_NOT_APPLY}</span>`
}

const criteria = (comparison: RunComparison, names: Names): Content => {
  const { ahead, behind, incomparable, same } = pairedCriteria(comparison)
  const isLaterFirst = comparison.sameSite && names.order[0] === "here"
  const [better, worse] = isLaterFirst ? [behind.map(reversed), ahead.map(reversed)] : [ahead, behind]
  const words = comparison.sameSite
    ? { better: "Better", worse: "Worse", unchanged: "came out the same" }
    : {
        better: `Where ${names.here.name} is ahead`,
        worse: `Where ${names.other.name} is ahead`,
        unchanged: "earn the same points"
      }
  const group = (id: string, title: string, pairs: ReadonlyArray<CriterionPair>, lead?: string): Content =>
    pairs.length === 0
      ? null
      : html`
    <section aria-labelledby=${id}>
      <h2 id=${id}>${title}</h2>
      ${lead === undefined ? null : html`<p class="soft">${lead}</p>`}
      ${pairList(pairs, names)}
    </section>`
  return html`
    ${better.length + worse.length > 0 ? null : html`<p class="lead">Of the criteria that both audits could check, none differs in points.</p>`}
    ${group("better", words.better, better)}
    ${group("worse", words.worse, worse)}
    ${group("incomparable", "Cannot be compared", incomparable, "Only one of the two audits could check these, or they apply to only one of the two.")}
    ${
      same.length === 0
        ? null
        : html`
      <details class="same-pairs">
        <summary>${counted(same.length, "criterion", "criteria")} ${same.length === 1 ? words.unchanged.replace("earn ", "earns ") : words.unchanged}</summary>
        ${pairList(same, names)}
      </details>`
    }`
}

const reversed = (pair: CriterionPair): CriterionPair => ({ ...pair, delta: -pair.delta })

/** A form to choose what to compare a report with, where there is no earlier one. */
export const compareChoicePage = (runId: string, report: Pick<AuditReport, "base_url">): VNode => {
  const name = siteName(report.base_url)
  return layout({
    title: `${name}: compare`,
    path: `/r/${runId}/compare`,
    robots: "noindex",
    styles: ["report.css", "compare.css"],
    content: html`
      <p class="eyebrow">Compare</p>
      <h1>${siteHeading(report.base_url)}</h1>
      <p class="lead">There is no earlier audit of this site here to compare it with.</p>
      <div id="compare-more">${otherSiteForm({ runId })}</div>
      <p><a href=${`/r/${runId}`}>Back to the report</a></p>`
  })
}

/** A note that two audits used different rubrics, and how much of the difference is due to that. */
const shiftNote = (
  { rubric: from }: AuditReport,
  { rubric: to }: AuditReport,
  shift: RubricShift | "unknown"
): VNode => html`
  <div class="warning" role="note" aria-label="Rubric change">
    <p><strong>The rubric changed from ${from.version} to ${to.version}.</strong> ${shift === "unknown" ? UNKNOWN : shares(shift)}</p>
  </div>`

const UNKNOWN = "The two audits used different rubrics. We can't tell how much of the difference comes from the rubric."

const shares = ({ criteria, total: { byRubric, bySite } }: RubricShift): Content => {
  if (byRubric !== null && bySite !== null)
    return html`Of the difference, <strong>${signed(byRubric)}</strong> comes from the rubric and <strong>${signed(bySite)}</strong> from the site.`
  const told = criteria.flatMap(({ id, reason }) => (reason === null ? [] : [`${id} ${reason}`]))
  return `How much of the difference comes from the rubric is not known: ${told.join("; ")}.`
}
