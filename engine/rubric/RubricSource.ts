import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { type Draft, draftOf } from "./source/Draft.ts"
import { fileText } from "./source/FileText.ts"
import { type PackagedRubric, packagedRubric } from "./source/PackagedRubric.ts"
import { unpackYaml } from "./source/PackedYaml.ts"
import { RubricInvalid } from "./source/Problem.ts"
import { Rubric } from "./Rubric.ts"
import { type Diagnostic, locateAll, type SourceText, sourceText } from "./source/SourceText.ts"
import { readYamlSource, type YamlNode, type YamlSource } from "./source/YamlSource.ts"

/** A rubric file that reads as YAML, before anything in it is judged. */
export interface RubricSource {
  readonly source: SourceText
  readonly root: YamlNode
  readonly draft: Draft
  /** As a rubric, or what stands against it. */
  readonly decoded: Result.Result<Rubric, SchemaIssue.Issue>
  /** What the YAML itself has against it. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** SHA-256 of the file's bytes, as `sha256:` and hexadecimal digits. */
  readonly digest: string
}

/** Reads a file's bytes as far as YAML goes; `file` is the name by which problems call it. */
export const readSource = (bytes: Uint8Array, file: string): Effect.Effect<RubricSource, RubricInvalid> =>
  Effect.suspend(() => {
    const { diagnostic, text } = fileText(bytes)
    const source = sourceText(file, text)
    if (diagnostic !== null) return reject(source, [diagnostic])
    const digest = digestOf(bytes)
    const { diagnostics, root } = packagedRubric?.digest === digest ? unpacked(packagedRubric) : readYamlSource(source)
    if (root === null) return reject(source, diagnostics)
    return Effect.succeed({ source, root, draft: draftOf(root), decoded: decode(root.plain), diagnostics, digest })
  })

/** The file cannot be used, for these reasons. */
export const reject = (source: SourceText, diagnostics: ReadonlyArray<Diagnostic>): Effect.Effect<never, RubricInvalid> =>
  Effect.fail(new RubricInvalid({ file: source.file, problems: locateAll(source, diagnostics) }))

const unpacked = ({ yaml }: PackagedRubric): YamlSource => ({ root: unpackYaml(yaml()), diagnostics: [] })

const decode = SchemaParser.decodeUnknownResult(Rubric, { errors: "all", onExcessProperty: "error" })

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`
