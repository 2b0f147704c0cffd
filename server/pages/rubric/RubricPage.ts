import { deprecationText, type Explanation, pointsText } from "../../../engine/rubric/CriterionPage.ts"
import type { Category, Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { layout } from "../kit/Layout.ts"
import { pageMetadata } from "../kit/Metadata.ts"
import { codedText } from "../kit/CodedText.ts"
import { versionList } from "./VersionList.ts"
import type { RubricVersion } from "./Versions.ts"

export interface RubricPageProps {
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
