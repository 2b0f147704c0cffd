import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { enumerated } from "../../plugin/Wording.ts"
import { formatTwoTree, isFormatThree } from "../format/FormatTwoTree.ts"
import { packagedRubric } from "../source/PackagedRubric.ts"
import { type Diagnostic, sourceText, type Span } from "../source/SourceText.ts"
import { isBelow } from "../source/VersionBump.ts"
import {
  headOf,
  isMap,
  itemsUnder,
  plainTextAt,
  readYamlSource,
  unpackYaml,
  type YamlEntry,
  type YamlNode
} from "../source/YamlSource.ts"

/** A rubric that others may extend. */
export interface BaseRubric {
  readonly id: string
  readonly version: string
  /** Of its file, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  /** As format 2 has it. */
  readonly root: YamlNode
  /** The criteria of a rubric of format 3 as it has them, by id; none of one of format 2. */
  readonly formatThree: ReadonlyMap<string, YamlNode>
  readonly format: 2 | 3
}

type OwnFile = Pick<BaseRubric, "id" | "version" | "digest"> & { readonly file: YamlNode }

/** The rubric of this package: there is no other base. The source tree's is read each time, since it may change. */
const ownFile = (): OwnFile => {
  const { digest, root } =
    packagedRubric === null ? readOwn() : { digest: packagedRubric.digest, root: unpackYaml(packagedRubric.yaml()) }
  return {
    id: String(root.entries.get("id")?.node.plain),
    version: String(root.entries.get("version")?.node.plain),
    digest,
    file: root
  }
}

const ownRubric = ({ digest, file, id, version }: OwnFile): BaseRubric => {
  if (!isFormatThree(file)) return { id, version, digest, root: file, formatThree: new Map(), format: 2 }
  const { criteria, root } = formatTwoTree(file, sourceText("rubric.yaml", ""))
  return { id, version, digest, root, formatThree: criteria, format: 3 }
}

const OWN_FILE = new URL("../../../rubric.yaml", import.meta.url)

const readOwn = (): { readonly digest: string; readonly root: YamlNode } => {
  const bytes = readFileSync(OWN_FILE)
  const { root } = readYamlSource(sourceText("rubric.yaml", new TextDecoder().decode(bytes)))
  if (root === null) throw new Error("rubric.yaml is not YAML that a rubric may use")
  return { digest: rubricDigest(bytes), root }
}

const ownDigest = (): string => packagedRubric?.digest ?? rubricDigest(readFileSync(OWN_FILE))

/** The ids of the criteria that the published rubric has on trial. */
export const publishedTrials = (): ReadonlySet<string> =>
  new Set(
    itemsUnder(ownRubric(ownFile()).root, "experimental").map(({ entries }) => String(entries.get("id")?.node.plain))
  )

/** Whether a rubric has the name and version of the published one, but not its bytes. */
export const isChangedBase = ({ digest, id, version }: Pick<BaseRubric, "id" | "version" | "digest">): boolean => {
  if (digest === ownDigest()) return false
  const own = ownFile()
  return id === own.id && version === own.version
}

export const rubricDigest = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`

/** `docs-ai-readiness@2`, `@2.0` or `@2.0.0`. */
const REFERENCE = /^([a-z][a-z0-9-]*)@(\d+(?:\.\d+){0,2})$/

/** Whether a text has the form of a rubric's name and version, rather than of a file. */
export const isBaseName = (text: string): boolean => REFERENCE.test(text)

/** The rubric that an `extends` names, or what is wrong with it. `file`: what extends it, to say what has become of what it changes. */
export const baseRubric = (
  { key, node: { plain, span } }: YamlEntry,
  file: YamlNode
): Result.Result<BaseRubric, Diagnostic> => {
  const own = ownFile()
  const [major = ""] = own.version.split(".")
  const example = `${own.id}@${major}`
  if (typeof plain !== "string")
    return Result.fail({
      rule: "extends",
      span: key,
      message: '"extends" must be the name and version of a rubric',
      hint: `write \`extends: ${example}\``
    })
  const [, id, version = ""] = REFERENCE.exec(plain) ?? []
  if (id === undefined)
    return Result.fail({
      rule: "extends",
      span,
      message: `"${plain}" is not the name and version of a rubric`,
      hint: `write ${example}`
    })
  if (id !== own.id)
    return Result.fail({
      rule: "extends",
      span,
      message: `there is no rubric "${id}" to extend`,
      hint: `write ${example}`
    })
  if (Number(version.split(".")[0]) < Number(major))
    return Result.fail({ rule: "extends", span, ...movedOn(ownRubric(own), version, example, file) })
  if (!`${own.version}.`.startsWith(`${version}.`)) {
    return Result.fail({
      rule: "extends",
      span,
      message: `this version of docgauge has ${own.id} ${own.version}, not ${version}`,
      hint: `write ${example}, or install the version of docgauge that has ${version}`
    })
  }
  return Result.succeed(ownRubric(own))
}

/** The rubric of this version of docgauge. */
interface Current {
  readonly id: string
  readonly version: string
  readonly root: YamlNode
}

/** What a file that extends an older major version is told: what changed since, and what to write instead. */
const movedOn = (
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

/** What a file says of a criterion or category, found by its id. */
export interface Patch {
  readonly id: string
  /** Where the id stands. */
  readonly span: Span
  readonly node: YamlNode
}

/** A part of a file as far as it can be understood, and what is wrong with the rest. */
interface Listed<A> {
  readonly items: ReadonlyArray<A>
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

/** The entries of `criteria` or `categories`, each with its id. */
export const patchesUnder = (root: YamlNode, key: string): Listed<Patch> => {
  const seen = new Set<string>()
  return listed(root, key, (node) => {
    const id = plainTextAt(node, "id")
    const entry = node.entries.get("id")
    if (!isMap(node))
      return wrong("value", node.span, `each of "${key}" must be a map with the "id" of what it changes`)
    if (id === null || entry === undefined)
      return wrong("missing_key", headOf(node), '"id" is missing', "name what this changes")
    if (seen.has(id))
      return wrong("duplicate_id", entry.node.span, `"${id}" is changed twice`, "write both changes in one place")
    seen.add(id)
    return { id, span: entry.node.span, node }
  })
}

/** The ids under `remove`. */
export const removedIds = (root: YamlNode): Listed<Omit<Patch, "node">> =>
  listed(root, "remove", ({ plain, span }) =>
    typeof plain === "string"
      ? { id: plain, span }
      : wrong("value", span, 'each of "remove" must be the id of a criterion')
  )

const listed = <A extends object>(root: YamlNode, key: string, read: (item: YamlNode) => A | Diagnostic): Listed<A> => {
  const entry = root.entries.get(key)
  if (entry === undefined) return { items: [], diagnostics: [] }
  if (!Array.isArray(entry.node.plain))
    return { items: [], diagnostics: [wrong("value", entry.key, `"${key}" must be a list`)] }
  const results = entry.node.items.map(read)
  return {
    items: results.flatMap((result) => (isDiagnostic(result) ? [] : [result])),
    diagnostics: results.flatMap((result) => (isDiagnostic(result) ? [result] : []))
  }
}

const isDiagnostic = (result: object): result is Diagnostic => "message" in result

export const wrong = (
  rule: Diagnostic["rule"],
  span: Span,
  message: string,
  hint: string | null = null
): Diagnostic => ({ rule, span, message, hint })
