import { enumerated } from "../../criterion/Wording.ts"
import { isBelow } from "../source/VersionBump.ts"
import { plainTextAt } from "../source/TreeParts.ts"
import { itemsUnder, type YamlNode } from "../source/YamlSource.ts"
import { patchesUnder, removedIds } from "./ListedChanges.ts"

/** The rubric of this version of docgauge. */
interface Current {
  readonly id: string
  readonly version: string
  readonly root: YamlNode
}

/** What a file that extends an older major version is told: what changed since, and what to write instead. */
export const movedOn = (
  base: Current,
  asked: string,
  example: string,
  file: YamlNode
): { readonly message: string; readonly hint: string } => {
  const since = itemsUnder(base.root, "changes")
    .filter((change) => isBelow(wholeVersion(asked), plainTextAt(change, "version") ?? ""))
    .map((change) => `${plainTextAt(change, "version") ?? ""}: ${plainTextAt(change, "what") ?? ""}`)
  const named = [...patchesUnder(file, "criteria").items, ...removedIds(file).items].map(({ id }) => id)
  const own =
    named.length === 0
      ? ""
      : ` What this file changes, as it is now: ${enumerated(named.map((id) => nowIs(id, base)))}.`
  return {
    message: `${base.id}@${asked} is not in this version of docgauge, which has ${base.version}. Changed since: ${since.join(" ")}`,
    hint: `write ${example}, and check points, levels and revisions against it with \`docgauge rubric check\`.${own} To keep ${asked}, install the version of docgauge that has it`
  }
}

/** `2` as `2.999999.999999`: all that is asked for is older than what comes after it. */
const wholeVersion = (asked: string): string => [...asked.split("."), "999999", "999999"].slice(0, 3).join(".")

/** `B5 has 3 points, by b5-page-size, revision 3`. */
const nowIs = (id: string, { root }: Current): string => {
  const criterion = [
    ...itemsUnder(root, "categories").flatMap((category) => itemsUnder(category, "criteria")),
    ...itemsUnder(root, "experimental")
  ].find((each) => plainTextAt(each, "id") === id)
  if (criterion === undefined) return `${id} is none of its criteria`
  const [points, plugin, revision] = ["points", "plugin", "revision"].map((key) =>
    String(criterion.entries.get(key)?.node.plain)
  )
  return `${id} has ${points} points, by ${plugin} (revision ${revision})`
}
