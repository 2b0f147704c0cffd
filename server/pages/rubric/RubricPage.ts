import { counted } from "../../../engine/plugin/Wording.ts"
import {
  deprecationText,
  type Explanation,
  pointsText,
  type ExplainedLevel,
  levelLead,
  requirementsText
} from "../../../engine/rubric/CriterionPage.ts"
import { type Category, type Rubric, effortText } from "../../../engine/rubric/definition/Rubric.ts"
import type { RubricChange } from "../../../engine/rubric/diff/RubricChange.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"
import { codedText, day, uncoded } from "../../../engine/report/html/Parts.ts"
import type { RubricVersion } from "./VersionPage.ts"
import { type Clause, groupLead } from "../../../engine/rubric/condition/ConditionWords.ts"
import { type Study, studyText } from "../../../engine/rubric/Evidence.ts"
import type { FactFields } from "../../../engine/plugin/Fact.ts"

interface RubricPageProps {
  /** The URL of the service. */
  readonly base: string
  readonly rubric: Rubric
  readonly explained: ReadonlyArray<Explanation>
  readonly versions: ReadonlyArray<RubricVersion>
}

/** The rubric in force: criteria, points, and versions. */
export const rubricPage = ({ base, explained, rubric, versions }: RubricPageProps): VNode => {
  const earning = explained.filter(({ onTrial }) => !onTrial)
  const onTrial = explained.filter((each) => each.onTrial)
  const description = `${rubric.title} ${earning.length} criteria in ${rubric.categories.length} categories, 100 points.`
  return layout({
    title: "Rubric",
    description,
    path: "/rubric",
    styles: ["rubric.css"],
    head: [
      pageMetadata({
        base,
        url: `${base}/rubric`,
        title: "Rubric",
        description,
        changed: rubric.changes[0]?.date,
        above: []
      }),
      html`<link rel="alternate" type="text/markdown" href="/rubric.md"/>`
    ],
    content: html`
      <h1>Rubric</h1>
      <p class="lead">${rubric.title} ${earning.length} criteria in ${rubric.categories.length} categories, 100 points together.</p>
      <p class="soft">Version <a href="#versions">${rubric.version}</a> is in force. The same text as <a href="/rubric.md">Markdown</a>; a <a href="/rubric/calculator">score calculator</a>.</p>
      ${rubric.categories.map((category) =>
        categorySection(
          category,
          earning.filter((each) => each.category.id === category.id)
        )
      )}
      ${
        onTrial.length === 0
          ? null
          : html`
        <section aria-labelledby="on-trial">
          <h2 id="on-trial">On trial</h2>
          <p>Measured and reported apart; they earn nothing until a new version takes them in.</p>
          ${criterionList(onTrial)}
        </section>`
      }
      <section aria-labelledby="verdicts">
        <h2 id="verdicts">Levels</h2>
        <table class="verdicts">
          <caption>What a score is called</caption>
          <thead><tr><th scope="col">Level</th><th scope="col" class="number">From</th><th scope="col">Meaning</th></tr></thead>
          <tbody>${rubric.verdicts.map(
            ({ from, meaning, word }) => html`
            <tr><th scope="row">${word}</th><td class="number">${from}</td><td>${meaning}</td></tr>`
          )}
          </tbody>
        </table>
      </section>
      <section aria-labelledby="versions">
        <h2 id="versions">Versions</h2>
        <p>A score means something only together with the rubric that gave it. Every report names its version, and a version, once released, never changes.</p>
        ${versionList({ versions, ids: explained.map(({ definition }) => definition.id) })}
      </section>`
  })
}

const categorySection = ({ id, points, title, why }: Category, criteria: ReadonlyArray<Explanation>): VNode => html`
  <section aria-labelledby=${id}>
    <h2 id=${id}><span class="letter">${id}</span> ${title} <span class="points">${pointsText(points)}</span></h2>
    <p>${codedText(why)}</p>
    ${criterionList(criteria)}
  </section>`

const criterionList = (criteria: ReadonlyArray<Explanation>): VNode => html`
  <ul class="criteria">${criteria.map(criterionLine)}</ul>`

const criterionLine = ({ definition, onTrial }: Explanation): VNode => html`
  <li>
    <a href=${`/rubric/${definition.id}`}><span class="letter">${definition.id}</span> <span>${codedText(definition.title)}</span></a>
    <span class="points">${onTrial ? "on trial" : pointsText(definition.points)}${deprecated(definition)}</span>
  </li>`

const deprecated = (definition: Explanation["definition"]): Content =>
  deprecationText(definition) === null ? null : ", deprecated"

interface VersionListProps {
  readonly versions: ReadonlyArray<RubricVersion>
  /** The current criteria, which have pages. */
  readonly ids: ReadonlyArray<string>
}

/** All versions and their changes, newest first. */
const versionList = ({ ids, versions }: VersionListProps): VNode => html`
  <ol class="versions">
    ${versions.map(
      (version) => html`
      <li>
        <h3 id=${`v${version.version.replaceAll(".", "-")}`}>${version.digest === null ? version.version : html`<a href=${`/rubric/${version.version}`}>${version.version}</a>`}${version.inForce ? html` <span class="tag">${version.isDraft ? "in force, draft" : "in force"}</span>` : null}</h3>
        <p class="soft small">${day(version.date)}${touched(version, ids)}</p>
        <p>${codedText(version.what)}</p>
        ${version.changes === null ? null : changeList(version.changes)}
        ${version.digest === null ? null : html`<p class="soft small digest">${version.digest}</p>`}
      </li>`
    )}
  </ol>`

const touched = ({ criteria }: RubricVersion, ids: ReadonlyArray<string>): Content => {
  if (criteria === "all") return " · all criteria"
  return criteria.length === 0
    ? null
    : [" · ", ...criteria.flatMap((id, index) => [index === 0 ? null : ", ", link(id, ids)])]
}

const link = (id: string, ids: ReadonlyArray<string>): Content =>
  ids.includes(id) ? html`<a href=${`/rubric/${id}`}>${id}</a>` : id

const changeList = (changes: ReadonlyArray<RubricChange>): VNode => html`
  <details>
    <summary>${counted(changes.length, "change")} to the file</summary>
    <ul>${changes.map(
      ({ owes, subject, what, why }) => html`
      <li>${subject === null ? null : html`<strong>${subject}</strong>${" "}`}${codedText(what)} <span class="soft">(${owes}: ${codedText(why)})</span></li>`
    )}
    </ul>
  </details>`

interface CriterionViewProps {
  /** The URL of the service. */
  readonly base: string
  readonly explanation: Explanation
  /** What its points rest on. */
  readonly studies: ReadonlyArray<Study>
  /** The criteria before and after it. */
  readonly previous: Explanation | null
  readonly next: Explanation | null
}

/** The page of one criterion: why, how, levels, remedy, facts, references. */
export const criterionView = ({ base, explanation, next, previous, studies }: CriterionViewProps): VNode => {
  const { category, definition, facts, levels, onTrial, steps } = explanation
  const { how, id, plugin, references, remedy, revision, title, why } = definition
  const deprecation = deprecationText(definition)
  const requirements = requirementsText(definition)
  const [shown, description] = [uncoded(`${id} ${title}`), uncoded(why)]
  return layout({
    title: shown,
    description,
    path: `/rubric/${id}`,
    styles: ["rubric.css"],
    head: [
      pageMetadata({
        base,
        url: `${base}/rubric/${id}`,
        title: shown,
        description,
        above: [{ title: "Rubric", url: `${base}/rubric` }]
      }),
      html`<link rel="alternate" type="text/markdown" href=${`/rubric/${id}.md`}/>`
    ],
    content: html`
      <nav class="crumbs" aria-label="Breadcrumb">
        <ol><li><a href="/rubric">Rubric</a></li><li><a href=${`/rubric#${category.id}`}>${category.id} ${category.title}</a></li></ol>
      </nav>
      <h1><span class="letter">${id}</span> ${codedText(title)}</h1>
      <p class="lead">${onTrial ? "On trial: measured, and earning nothing yet" : `Worth ${pointsText(definition.points)}`}; the fix ${effortText(remedy.effort)}.</p>
      ${deprecation === null ? null : html`<p class="warning">${deprecation}</p>`}
      ${requirements === "" ? null : html`<p class="soft">${requirements}</p>`}
      <section aria-labelledby="why"><h2 id="why">Why</h2><p>${codedText(why)}</p></section>
      <section aria-labelledby="how"><h2 id="how">How it is measured</h2><p>${codedText(how)}</p>${paramsOf(definition.params)}</section>
      <section aria-labelledby="levels">
        <h2 id="levels">Levels</h2>
        <p class="soft">Tried in order; the first that holds counts.</p>
        <ol class="levels">${levels.map(levelItem)}</ol>
      </section>
      <section aria-labelledby="remedy">
        <h2 id="remedy">What to do</h2>
        <ol>${steps.map(({ text }) => html`<li>${codedText(text)}</li>`)}</ol>
      </section>
      <section aria-labelledby="facts">
        <h2 id="facts">Facts</h2>
        <p>Measured by <code>${plugin}</code>, revision ${revision}. The levels judge these facts, and every report has them.</p>
        ${factTable(facts)}
      </section>
      ${evidenceSection(studies)}
      ${
        references.length === 0
          ? null
          : html`
        <section aria-labelledby="references">
          <h2 id="references">To read</h2>
          <ul>${references.map((reference) => html`<li><a href=${reference.url}>${reference.title}</a></li>`)}</ul>
        </section>`
      }
      <nav class="pager" aria-label="Criteria">
        ${neighbour("prev", previous)}
        ${neighbour("next", next)}
      </nav>`
  })
}

const evidenceSection = (studies: ReadonlyArray<Study>): Content =>
  studies.length === 0
    ? null
    : html`
      <section aria-labelledby="evidence">
        <h2 id="evidence">Evidence</h2>
        <p class="soft">What was measured of its effect on agents. Points follow the grades.</p>
        <ul>${studies.map((study) => html`<li>${study.url === undefined ? study.title : html`<a href=${study.url} rel="noopener noreferrer">${study.title}</a>`} <span>${studyText({ ...study, title: "" }).trim()}</span></li>`)}</ul>
      </section>`

const paramsOf = (params: Explanation["definition"]["params"]): Content => {
  const entries = Object.entries(params)
  return entries.length === 0
    ? null
    : html`
    <p class="soft">Params: ${entries.map(([name, value], index) => html`${index === 0 ? null : ", "}<code>${name}</code> ${JSON.stringify(value)}`)}.</p>`
}

const levelItem = (level: ExplainedLevel): VNode => html`
  <li>
    <span class=${`status status-${level.status}`}>${level.status}</span>
    <div><p>${codedText(levelLead(level).replace(` (${level.status})`, ""))}</p>${level.asks === null ? null : clauseList(level.asks)}</div>
  </li>`

/** The parts of a condition, nested as it is. */
const clauseList = (clause: Clause): Content =>
  clause._tag === "Plain"
    ? null
    : html`
    <ul>${clause.clauses.map((part) => html`<li>${codedText(part._tag === "Plain" ? part.text : groupLead(part.lead))}${clauseList(part)}</li>`)}</ul>`

const factTable = (facts: FactFields): VNode => html`
  <table class="facts">
    <caption>What is measured</caption>
    <thead><tr><th scope="col">Fact</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${Object.entries(facts).map(
      ([name, fact]) => html`
      <tr><th scope="row"><code>${breakable(name)}</code></th><td>${fact.kind}</td><td>${codedText(fact.meaning)}${fact.kind === "word" ? `: ${fact.words.join(", ")}` : null}</td></tr>`
    )}
    </tbody>
  </table>`

/** A long name may break after an underscore. */
const breakable = (name: string): Content =>
  name.split("_").map((part, index) => (index === 0 ? part : html`_<wbr/>${part}`))

const neighbour = (rel: "prev" | "next", to: Explanation | null): Content =>
  to === null
    ? null
    : html`<a rel=${rel} href=${`/rubric/${to.definition.id}`}>${rel === "prev" ? "← " : null}${to.definition.id} ${codedText(to.definition.title)}${rel === "next" ? " →" : null}</a>`
