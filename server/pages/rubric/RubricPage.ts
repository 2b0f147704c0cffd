import { counted } from "../../../engine/plugin/Wording.ts"
import { deprecationText, type Explanation, pointsText } from "../../../engine/rubric/CriterionPage.ts"
import type { Category, Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { RubricChange } from "../../../engine/rubric/diff/RubricChange.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"
import { codedText, day } from "../../../engine/report/html/Parts.ts"
import type { RubricVersion } from "./VersionPage.ts"

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
