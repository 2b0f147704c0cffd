import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import { packagedRubric } from "../source/PackagedRubric.ts"
import { unpackYaml } from "../source/PackedYaml.ts"
import { type Diagnostic, sourceText } from "../source/SourceText.ts"
import { itemsUnder, readYamlSource, type YamlEntry, type YamlNode } from "../source/YamlSource.ts"

import { movedOn } from "./MovedOn.ts"

/** A rubric that others may extend. */
export interface BaseRubric {
  readonly id: string
  readonly version: string
  /** Of its file, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  readonly root: YamlNode
}

/** The rubric of this package: there is no other base. The source tree's is read each time, since it may change. */
const ownRubric = (): BaseRubric => {
  const { digest, root } =
    packagedRubric === null ? readOwn() : { digest: packagedRubric.digest, root: unpackYaml(packagedRubric.yaml()) }
  return {
    id: String(root.entries.get("id")?.node.plain),
    version: String(root.entries.get("version")?.node.plain),
    digest,
    root
  }
}

const OWN_FILE = new URL("../../../rubric.yaml", import.meta.url)

const readOwn = (): Pick<BaseRubric, "digest" | "root"> => {
  const bytes = readFileSync(OWN_FILE)
  const { root } = readYamlSource(sourceText("rubric.yaml", new TextDecoder().decode(bytes)))
  if (root === null) throw new Error("rubric.yaml is not YAML that a rubric may use")
  return { digest: rubricDigest(bytes), root }
}

const ownDigest = (): string => packagedRubric?.digest ?? rubricDigest(readFileSync(OWN_FILE))

/** The ids of the criteria that the published rubric has on trial. */
export const publishedTrials = (): ReadonlySet<string> =>
  new Set(itemsUnder(ownRubric().root, "experimental").map(({ entries }) => String(entries.get("id")?.node.plain)))

/** Whether a rubric has the name and version of the published one, but not its bytes. */
export const isChangedBase = ({ digest, id, version }: Pick<BaseRubric, "id" | "version" | "digest">): boolean => {
  if (digest === ownDigest()) return false
  const own = ownRubric()
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
  const own = ownRubric()
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
    return Result.fail({ rule: "extends", span, ...movedOn(own, version, example, file) })
  if (!`${own.version}.`.startsWith(`${version}.`)) {
    return Result.fail({
      rule: "extends",
      span,
      message: `this version of docgauge has ${own.id} ${own.version}, not ${version}`,
      hint: `write ${example}, or install the version of docgauge that has ${version}`
    })
  }
  return Result.succeed(own)
}
