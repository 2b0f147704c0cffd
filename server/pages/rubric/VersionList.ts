import type { RubricChange } from "../../../engine/rubric/diff/RubricChange.ts"
import { day } from "../kit/Moments.ts"
import { counted } from "../../../engine/criterion/Wording.ts"
import { type Content, html, type VNode } from "../kit/Html.ts"
import { codedText } from "../kit/CodedText.ts"
import type { RubricVersion } from "./Versions.ts"

export interface VersionListProps {
  readonly versions: ReadonlyArray<RubricVersion>
  /** The current criteria, which have pages. */
  readonly ids: ReadonlyArray<string>
}

/** All versions and their changes, newest first. */
export const versionList = ({ ids, versions }: VersionListProps): VNode => html`
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
