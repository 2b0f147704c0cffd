import { pointsText } from "../../../engine/rubric/CriterionPage.ts"
import type { Change, CriterionDefinition, Level, Rubric } from "../../../engine/rubric/definition/Rubric.ts"
import type { RubricChange } from "../../../engine/rubric/diff/RubricChange.ts"
import { diffRubrics } from "../../../engine/rubric/diff/RubricDiff.ts"
import type { UnboundRubric } from "../../../engine/rubric/RubricFile.ts"
import { type Content, html, type VNode } from "../../../engine/report/html/Html.ts"
import { layout, pageMetadata } from "../kit/Layout.ts"
import { codedText, day } from "../../../engine/report/html/Parts.ts"

interface VersionPageProps {
  /** The URL of the service. */
  readonly base: string
  readonly rubric: Rubric
  /** `sha256:` and the digest of its file. */
  readonly digest: string
  readonly inForce: string
}

/** One version of the rubric as it was released: its criteria with levels and their conditions, by which older reports were judged. */
export const versionPage = ({ base, digest, inForce, rubric }: VersionPageProps): VNode => {
  const { version } = rubric
  const title = `Rubric ${version}`
  const description = `Criteria, levels and conditions of version ${version} of ${rubric.id}.`
  return layout({
    title,
    description,
    path: `/rubric/${version}`,
    styles: ["rubric.css"],
    head: [
      pageMetadata({
        base,
        url: `${base}/rubric/${version}`,
        title,
        description,
        changed: changeIn(rubric)?.date,
        above: [{ title: "Rubric", url: `${base}/rubric` }]
      }),
      html`<link rel="alternate" type="text/markdown" href=${`/rubric/${version}.md`}/>`
    ],
    content: html`
      <nav class="crumbs" aria-label="Breadcrumb"><ol><li><a href="/rubric">Rubric</a></li></ol></nav>
      <h1>Rubric ${version}</h1>
      <p class="lead">${rubric.title}</p>
      ${changed(rubric)}
      <p class="soft">${statusText(rubric, inForce)} The same text as <a href=${`/rubric/${version}.md`}>Markdown</a>.</p>
      <p class="soft small digest">${digest}</p>
      ${rubric.categories.map(
        (category) => html`
        <section aria-labelledby=${category.id}>
          <h2 id=${category.id}><span class="letter">${category.id}</span> ${category.title} <span class="points">${pointsText(category.points)}</span></h2>
          <p>${codedText(category.why)}</p>
          ${category.criteria.map((criterion) => criterionPart(criterion, pointsText(criterion.points)))}
        </section>`
      )}
      ${onTrial(rubric)}
      <section aria-labelledby="verdicts">
        <h2 id="verdicts">Levels</h2>
        <ul>${rubric.verdicts.map(({ from, meaning, word }) => html`<li>${word}, from ${from}: ${meaning}</li>`)}</ul>
      </section>`
  })
}

const changeIn = ({ changes, version }: Rubric): Rubric["changes"][number] | undefined =>
  changes.find((change) => change.version === version)

const changed = (rubric: Rubric): Content => {
  const change = changeIn(rubric)
  return change === undefined ? null : html`<p>${day(change.date)}: ${codedText(change.what)}</p>`
}

/** Whether this version is in force, is a draft, or was replaced. */
const statusText = ({ draft = false, version }: Rubric, inForce: string): string => {
  if (version !== inForce) return `It judged earlier reports. Version ${inForce} is in force.`
  return draft ? "It is in force, and a draft: its file may still change." : "It is in force."
}

const onTrial = ({ experimental = [] }: Rubric): Content =>
  experimental.length === 0
    ? null
    : html`
    <section aria-labelledby="on-trial">
      <h2 id="on-trial">On trial</h2>
      ${experimental.map((criterion) => criterionPart(criterion, "on trial"))}
    </section>`

const criterionPart = ({ how, id, levels, title, why }: CriterionDefinition, points: string): VNode => html`
  <h3 id=${id}><span class="letter">${id}</span> ${codedText(title)} <span class="points">${points}</span></h3>
  <p>${codedText(why)}</p>
  <p>${codedText(how)}</p>
  <ol class="levels">${levels.map(levelItem)}</ol>`

const levelItem = (level: Level): VNode => html`
  <li><span class=${`status status-${level.status}`}>${level.status}</span><p>${levelText(level)}</p></li>`

const levelText = ({ earns, when }: Level): Content =>
  when === undefined
    ? `${pointsText(earns)}: none of the levels above`
    : html`${pointsText(earns)}: <code>${when.replaceAll(/\s+/gu, " ").trim()}</code>`

/** The same as Markdown. */
export const versionText = ({ digest, inForce, rubric }: Omit<VersionPageProps, "base">): string => {
  const criterion = ({ how, id, levels, title, why }: CriterionDefinition, points: string): ReadonlyArray<string> => [
    `### ${id} ${title} (${points})`,
    why.trim(),
    how.trim(),
    levels
      .map(({ earns, status, when }) => {
        const asks = when === undefined ? "none of the levels above" : `\`${when.replaceAll(/\s+/gu, " ").trim()}\``
        return `- ${status}, ${pointsText(earns)}: ${asks}`
      })
      .join("\n")
  ]
  const { categories, experimental = [], title, verdicts, version } = rubric
  return `${[
    `# Rubric ${version}`,
    `> ${title}`,
    `${statusText(rubric, inForce)} ${digest}`,
    ...categories.flatMap(({ criteria, id, points, title, why }) => [
      `## ${id} ${title} (${pointsText(points)})`,
      why.trim(),
      ...criteria.flatMap((each) => criterion(each, pointsText(each.points)))
    ]),
    ...(experimental.length === 0
      ? []
      : ["## On trial", ...experimental.flatMap((each) => criterion(each, "on trial"))]),
    "## Levels",
    verdicts.map(({ from, meaning, word }) => `- ${word}, from ${from}: ${meaning}`).join("\n")
  ].join("\n\n")}\n`
}

/** A version of a rubric from its list of changes, with the differences between the files. */
export interface RubricVersion extends Change {
  /** Whether it is in force. */
  readonly inForce: boolean
  /** Whether its file may still change: the version in force has not been released. */
  readonly isDraft: boolean
  /** `sha256:` and the digest of the file; `null` for an earlier version that was not released. */
  readonly digest: string | null
  /** Differences from the released version before it; `null` if there is none to compare with. */
  readonly changes: ReadonlyArray<RubricChange> | null
}

/** The versions in a rubric's list of changes, newest first. `releases` are oldest first; those of other rubrics are ignored. */
export const rubricVersions = (
  { digest, rubric }: Pick<UnboundRubric, "digest" | "rubric">,
  releases: ReadonlyArray<UnboundRubric>
): ReadonlyArray<RubricVersion> => {
  const own = releases.filter((release) => release.rubric.id === rubric.id)
  return rubric.changes.map((change) => {
    const at = own.findIndex((release) => release.rubric.version === change.version)
    const [release, earlier] = [own[at], own[at - 1]]
    const inForce = change.version === rubric.version
    return {
      ...change,
      inForce,
      isDraft: inForce && release === undefined,
      digest: inForce ? digest : (release?.digest ?? null),
      changes: release === undefined || earlier === undefined ? null : diffRubrics(earlier, release).changes
    }
  })
}
