import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { type Draft, draftOf } from "./Draft.ts"
import { fileText } from "./FileText.ts"
import { type KeptReading, nodeOf } from "./KeptReading.ts"
import { RubricInvalid } from "./Problem.ts"
import { Rubric } from "./Rubric.ts"
import { type Finding, locateAll, type SourceText, sourceText } from "./SourceText.ts"
import { readYaml, type YamlNode } from "./YamlSource.ts"

/** A rubric file that reads as YAML, before anything in it is judged. */
export interface RubricSource {
  readonly source: SourceText
  readonly root: YamlNode
  readonly draft: Draft
  /** As a rubric, or what stands against it. */
  readonly decoded: Result.Result<Rubric, SchemaIssue.Issue>
  /** What the YAML itself has against it. */
  readonly findings: ReadonlyArray<Finding>
  /** SHA-256 of the file's bytes, as `sha256:` and hexadecimal digits. */
  readonly digest: string
}

/** Reads a file's bytes as far as YAML goes; `file` is the name by which problems call it. */
export const readSource = (bytes: Uint8Array, file: string): Effect.Effect<RubricSource, RubricInvalid> =>
  Effect.suspend(() => {
    const { finding, text } = fileText(bytes)
    const source = sourceText(file, text)
    if (finding !== null) return reject(source, [finding])
    const { findings, root } = readYaml(source)
    if (root === null) return reject(source, findings)
    return Effect.succeed({ source, root, draft: draftOf(root), decoded: decode(root.plain), findings, digest: digestOf(bytes) })
  })

/** What to keep of a rubric file, so that its YAML need not be read again. */
export const keptReadingOf = (bytes: Uint8Array, file: string): Effect.Effect<KeptReading, RubricInvalid> =>
  Effect.map(readSource(bytes, file), ({ digest, root }) => ({ digest, plain: root.plain }))

/** The same from a reading that was kept; `null` where it is of other bytes. Its values have no places. */
export const keptSource = (bytes: Uint8Array, file: string, kept: KeptReading): RubricSource | null => {
  const digest = digestOf(bytes)
  if (digest !== kept.digest) return null
  const root = nodeOf(kept.plain)
  return { source: sourceText(file, ""), root, draft: draftOf(root), decoded: decode(kept.plain), findings: [], digest }
}

/** The file cannot be used, for these reasons. */
export const reject = (source: SourceText, findings: ReadonlyArray<Finding>): Effect.Effect<never, RubricInvalid> =>
  Effect.fail(new RubricInvalid({ file: source.file, problems: locateAll(source, findings) }))

const decode = SchemaParser.decodeUnknownResult(Rubric, { errors: "all", onExcessProperty: "error" })

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`
