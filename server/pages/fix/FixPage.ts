import { scoreChange } from "../../../engine/fix/plan/PlanWords.ts"
import type { Run } from "../../../engine/store/runs/Run.ts"
import { html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { siteHeading, siteName } from "../kit/Audited.ts"
import { planSection, type PlanView } from "./PlanSection.ts"

/** The page with the plan for a site. */
export const fixPage = (view: PlanView): VNode => {
  const {
    plan,
    run: { id, url }
  } = view
  return layout({
    title: `Fix ${siteName(url)}: ${scoreChange(plan)} of 100`,
    path: `/r/${id}/fix`,
    robots: "noindex",
    styles: ["report.css"],
    scripts: ["copy.js"],
    head: html`
      <link rel="alternate" type="application/json" href=${`/r/${id}/fix.json`} title="The plan as JSON"/>
      <link rel="alternate" type="text/markdown" href=${`/r/${id}/fix.md`} title="The plan as Markdown"/>`,
    content: html`
      <article class="report">
        <p class="eyebrow">How to raise the score of</p>
        <h1>${siteHeading(url)}</h1>
        <p><a href=${`/r/${id}`}>Back to the report</a></p>
        ${planSection(view)}
      </article>`
  })
}

/** How often the page below reloads itself, in seconds. */
const REFRESH = 3

/** The page while the plan is being made. It turns into the plan, with or without a script. */
export const makingPage = ({ id, url }: Run): VNode =>
  layout({
    title: `Making the plan for ${siteName(url)}`,
    path: `/r/${id}/fix`,
    robots: "noindex",
    styles: ["report.css"],
    head: html`<meta http-equiv="refresh" content=${REFRESH}/>`,
    content: html`
      <div class="under-way">
        <p class="eyebrow">Making the plan for</p>
        <h1>${siteHeading(url)}</h1>
        <p class="lead" role="status">Writing the files, and auditing the site again with them in place.</p>
        <p class="soft">Usually under 10 seconds. This page reloads every ${REFRESH} seconds.</p>
        <p><a href=${`/r/${id}`}>Back to the report</a></p>
      </div>`
  })
