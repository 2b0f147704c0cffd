import { planPrompt } from "../../../engine/fix/plan/PlanMarkdown.ts"
import type { PlanSummary } from "../../../engine/fix/plan/PlanSummary.ts"
import {
  absentNote,
  costText,
  DRIFT_ADVICE,
  DRIFT_TITLE,
  driftRest,
  gained,
  judgedAgainText,
  keptText,
  lostText,
  meantInstead,
  otherVersionsText,
  OUTPUT_FOLDER,
  planHeadline,
  recipeGroups,
  said,
  scoreChange,
  uncheckedText
} from "../../../engine/fix/plan/PlanWords.ts"
import { counted, grouped, signed } from "../../../engine/plugin/Wording.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
import { fixCommand } from "../../fixes/RunFixes.ts"
import {
  auditedLink,
  breakable,
  columns,
  copyButton,
  quotedText,
  rubricText
} from "../../../engine/report/html/Parts.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"

/** A plan, and what its page needs beside it. */
export interface PlanView {
  readonly plan: PlanSummary
  readonly run: { readonly id: string; readonly url: string }
  readonly zipBytes: number
  /** The URL of the service, without a trailing slash. */
  readonly base: string
}

/** Pages that are named with what needs writing. */
const PAGES = 10

/** The prompt for a coding agent, as `docgauge fix --prompt` prints it. */
export const promptOf = ({ base, plan, run: { id } }: PlanView): string =>
  planPrompt(plan, OUTPUT_FOLDER, `${base}/r/${id}/fixes.zip`)

/** The plan for a site: what its files gain, the files, what needs writing, and the prompt. A script may put it into the page of the report. */
export const planSection = (view: PlanView): VNode => {
  const {
    plan,
    run: { id, url }
  } = view
  const plain = (text: string): string => plainText(text, 200)
  const [again, others, cost, kept, unchecked] = [
    judgedAgainText(plan),
    otherVersionsText(plan, plain),
    costText(plan),
    keptText(plan, plain),
    uncheckedText(plan)
  ]
  return html`
    <section id="fix-it" class="plan" aria-labelledby="fix-it-title">
      <h2 id="fix-it-title" tabindex="-1">Fix it: ${scoreChange(plan)} of 100</h2>
      <p class="lead">${planHeadline(plan)}</p>
      ${again === "" ? null : html`<p class="warning">${again}</p>`}
      ${others === "" ? null : html`<p>${others}</p>`}
      ${cost === "" ? null : html`<p>${cost}</p>`}
      ${kept === "" ? null : html`<p>${kept}</p>`}
      ${unchecked === "" ? null : html`<p>${unchecked}</p>`}
      ${downloads(view)}
      ${recipes(plan)}
      ${gains(plan)}
      ${files(plan)}
      ${drift(plan)}
      ${todos(plan)}
      <h3 id="fix-prompt-title">Prompt for a coding agent</h3>
      <p>For an agent that works in the repository of the documentation. <a href=${`/r/${id}/prompt.txt`}>As text</a></p>
      <textarea class="prompt" id="plan-prompt" rows="8" readonly aria-labelledby="fix-prompt-title">${promptOf(view)}</textarea>
      ${copyButton("Copy prompt", "plan-prompt")}
      <h3>On your own machine</h3>
      <p>With the site as it is now, and all pages of a site of fewer than 300; add <code>--all</code> for those of a larger one, <code>--host nginx</code> for the rules of your host, and <code>--ai search-only</code> to say what AI agents may do:</p>
      <pre class="snippet" tabindex="0"><code>${plainText(fixCommand(url), 2_200)}</code></pre>
      ${plan.pages.unopened === 0 ? null : html`<p>${counted(plan.pages.unopened, "page")} that the site names ${plan.pages.unopened === 1 ? "was not opened, and has" : "were not opened, and have"} no Markdown version among these files.</p>`}
    </section>`
}

const downloads = ({ plan, run: { id }, zipBytes }: PlanView): VNode => html`
  <ul class="link-row no-print">
    ${plan.files.length === 0 ? null : html`<li><a class="button" href=${`/r/${id}/fixes.zip`} rel="nofollow">Download ${counted(plan.files.length, "file")} (zip, ${sizeText(zipBytes)})</a></li>`}
    <li><a href="#fix-prompt-title">Prompt for a coding agent</a></li>
    <li><a href=${`/r/${id}/fix.md`} rel="nofollow">Plan as Markdown</a></li>
    <li><a href=${`/r/${id}/fix.json`} rel="nofollow">As JSON</a></li>
  </ul>`

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

const recipes = (plan: PlanSummary): Content =>
  plan.recipes.length === 0
    ? null
    : html`
    <h3>With your tools</h3>
    ${recipeGroups(plan).map(
      ({ lead, recipes }) => html`<p>${lead}</p>
    <ul>${recipes.map((recipe) => html`<li>${recipe.generator} (${recipe.criteria.join(", ")}): ${rubricText(recipe.do)} <a href=${recipe.url} rel="noopener noreferrer">Documentation</a></li>`)}</ul>`
    )}`

const gains = (plan: PlanSummary): Content =>
  plan.gains.length === 0
    ? null
    : html`
    <h3>What the files gain</h3>
    <table>
      <caption>Measured: the site was audited again with all files in place.</caption>
      ${columns(["rest", "category"])}
      <thead><tr><th scope="col">Criterion</th><th scope="col" class="number">Points</th></tr></thead>
      <tbody>
        ${gained(plan).map(
          ({ after, before, criterion, max, title }) => html`
          <tr><th scope="row"><a href=${`/rubric/${criterion}`}>${criterion}</a> ${rubricText(title)}</th><td class="number">${before} → ${after}<span class="soft"> / ${max}</span></td></tr>`
        )}
      </tbody>
    </table>
    ${lostText(plan) === "" ? null : html`<p>${lostText(plan)}</p>`}`

type PlannedFile = PlanSummary["files"][number]

/** Named files one by one; Markdown versions and snippets, of which there are many, are folded. */
const files = (plan: PlanSummary): Content => {
  if (plan.files.length === 0) return null
  const snippets = plan.files.filter(({ path }) => path.startsWith("head/"))
  const versions = plan.files.filter(({ isVersion }) => isVersion)
  const others = plan.files.filter((file) => !snippets.includes(file) && !versions.includes(file))
  return html`
    <h3>The files</h3>
    <p>Publish what is below <code>site/</code> at the same paths, and add each snippet of <code>head/</code> to the head of its page. Beside each file: its criteria, and the points that they gain once all files are in place.</p>
    ${others.length === 0 ? null : fileList(others, plan)}
    ${folded(versions, "Markdown version", plan)}
    ${folded(snippets, "snippet", plan)}`
}

const folded = (files: ReadonlyArray<PlannedFile>, what: string, plan: PlanSummary): Content =>
  files.length === 0
    ? null
    : html`<details><summary>${counted(files.length, what)} <span class="soft">${worthOf(files, plan)}</span></summary>${fileList(files, plan, worthOf(files, plan))}</details>`

/** `told`: what all of them are worth, if it is said above the list; only files that are worth something else repeat it. */
const fileList = (files: ReadonlyArray<PlannedFile>, plan: PlanSummary, told = ""): VNode => html`
  <ul class="files">
    ${files.map((file) => {
      const notes = [
        ...(worthOf([file], plan) === told ? [] : [worthOf([file], plan)]),
        ...(file.completes ? ["yours, completed"] : []),
        ...said(absentNote(file)),
        ...(file.remark === undefined ? [] : [file.remark])
      ].join("; ")
      return html`<li><code>${breakable(plainText(file.path, 300))}</code> ${notes === "" ? null : html`<span class="soft">${notes}</span>`}</li>`
    })}
  </ul>`

/** `A1 +2, A5`: the criteria of files, with the points that each gains or loses once all files are in place. */
const worthOf = (files: ReadonlyArray<PlannedFile>, { gains }: PlanSummary): string =>
  [...new Set(files.flatMap(({ criteria }) => criteria))]
    .sort()
    .map((id) => {
      const gain = gains.find(({ criterion }) => criterion === id)
      return gain === undefined ? id : `${id} ${signed(gain.after - gain.before)}`
    })
    .join(", ")

const drift = ({ drift }: PlanSummary): Content =>
  drift.findings.length === 0
    ? null
    : html`
    <h3>${DRIFT_TITLE}</h3>
    <p>${DRIFT_ADVICE}</p>
    <ul>
      ${drift.findings.map((finding) => falsehood(finding))}
      ${drift.more === 0 ? null : html`<li>${driftRest(drift)}</li>`}
    </ul>`

const falsehood = (finding: PlanSummary["drift"]["findings"][number]): VNode => {
  const { description, message, page } = finding
  const meant = meantInstead(finding)
  return html`
    <li>
      ${quotedText(message)}${meant === null ? null : html` Does it mean <code>${breakable(quotedText(meant))}</code>?`}
      ${page === null ? null : html`<br/><span class="small">${auditedLink(page.url, "")}${page.line === null ? null : `, line ${page.line}`}</span>`}
      ${description === null ? null : html`<br/><span class="small">${auditedLink(description.url, "")} <span class="soft">${breakable(quotedText(description.pointer))}</span></span>`}
    </li>`
}

const todos = ({ todo }: PlanSummary): Content =>
  todo.length === 0
    ? null
    : html`
    <h3>What a person has to write or decide</h3>
    ${todo.map(
      ({ criterion, found, includes, pages, points, reasons, steps, title }) => html`
      <details>
        <summary>${[criterion, ...includes].join(", ")} ${rubricText(title)} (+${points})</summary>
        ${reasons.map((reason) => html`<p>${quotedText(reason)}</p>`)}
        ${found === null ? null : html`<p>${quotedText(found)}</p>`}
        ${steps.length === 0 ? null : html`<ul>${steps.map((step) => html`<li>${rubricText(step)}</li>`)}</ul>`}
        ${
          pages.length === 0
            ? null
            : html`
          <p class="small">Pages: ${pages.slice(0, PAGES).map((page, index) => html`${index === 0 ? null : ", "}${auditedLink(page, "")}`)}${pages.length > PAGES ? ` and ${grouped(pages.length - PAGES)} more` : null}</p>`
        }
      </details>`
    )}`
