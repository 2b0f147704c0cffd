import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { baseRubric, type BaseRubric, rubricDigest } from "./extends/BaseRubric.ts"
import { extendedRubric } from "./extends/ExtendedRubric.ts"
import { RubricThree } from "./format/FormatThree.ts"
import { formatTwoTree, isFormatThree } from "./format/FormatTwoTree.ts"
import { levelDiagnostics } from "./rules/LevelRules.ts"
import { nameDiagnostics } from "./rules/NameRules.ts"
import { pointDiagnostics } from "./rules/PointRules.ts"
import { numberDiagnostics, withNumbers } from "./texts/TextNumbers.ts"
import { type Draft, draftOf } from "./source/Draft.ts"
import { fileText } from "./source/FileText.ts"
import { withMeasures } from "./source/MeasureKey.ts"
import { type PackagedRubric, packagedRubric } from "./source/PackagedRubric.ts"
import { unpackYaml } from "./source/PackedYaml.ts"
import { type Problem, RubricInvalid } from "./source/Problem.ts"
import { Rubric } from "./definition/Rubric.ts"
import { shapeDiagnostics } from "./source/SchemaDiagnostics.ts"
import { type Diagnostic, locateAll, type SourceText, sourceText, type Span } from "./source/SourceText.ts"
import { readYamlSource, type YamlNode, type YamlSource } from "./source/YamlSource.ts"

/** A rubric file that reads as YAML, before anything in it is judged. */
export interface RubricSource {
  readonly source: SourceText
  readonly draft: Draft
  /** As a rubric, or what is wrong with it. Of format 3 the numbers are put into its texts. */
  readonly decoded: Result.Result<Rubric, SchemaIssue.Issue>
  /** The same with its texts as they are written. */
  readonly asWritten: Result.Result<Rubric, SchemaIssue.Issue>
  /** The criteria that format 3 has, as it has them, by id. */
  readonly formatThree: ReadonlyMap<string, YamlNode>
  /** Whether its texts may name numbers, which is format 3. */
  readonly namesNumbers: boolean
  /** What is wrong with its shape. */
  readonly shape: ReadonlyArray<Diagnostic>
  /** What the YAML itself, or the base that it extends, has against it. */
  readonly diagnostics: ReadonlyArray<Diagnostic>
  /** SHA-256 as `sha256:` and hexadecimal digits: of the file's bytes or, with a base, of the base's digest, a line feed and these bytes. */
  readonly digest: string
  /** Whether it is the package's own, which was checked when the package was built. */
  readonly packaged: boolean
  /** The rubric that it extends; `null`: it is whole. */
  readonly base: Pick<BaseRubric, "id" | "version"> | null
  /** The places of what is inherited from the base. */
  readonly anchors: ReadonlySet<Span>
}

/** Reads a file's bytes as far as YAML goes; `file` is the name by which problems call it. */
export const readSource = (bytes: Uint8Array, file: string): Effect.Effect<RubricSource, RubricInvalid> =>
  Effect.flatMap(readRubricText(bytes, file), (source) => {
    const digest = rubricDigest(bytes)
    const own = packagedRubric?.digest === digest ? packagedRubric : null
    const { diagnostics, root } = own === null ? withMeasures(readYamlSource(source)) : unpacked(own)
    if (root === null) return reject(source, diagnostics)
    const reference = root.entries.get("extends")
    if (reference === undefined)
      return Effect.succeed({
        source,
        ...whole(root, diagnostics, source),
        digest,
        packaged: own !== null,
        base: null,
        anchors: new Set()
      })
    const base = baseRubric(reference, root)
    return Result.isSuccess(base)
      ? Effect.succeed(extending(source, { root, diagnostics }, base.success, reference.node.span))
      : reject(source, [...diagnostics, base.failure])
  })

/** A file's bytes as text with places; fails if they are too many, or not UTF-8. */
export const readRubricText = (bytes: Uint8Array, file: string): Effect.Effect<SourceText, RubricInvalid> =>
  Effect.suspend(() => {
    const { diagnostic, text } = fileText(bytes)
    const source = sourceText(file, text)
    return diagnostic === null ? Effect.succeed(source) : reject(source, [diagnostic])
  })

type Understood = Pick<RubricSource, "draft" | "decoded" | "asWritten" | "formatThree" | "namesNumbers" | "shape"> &
  Pick<RubricSource, "diagnostics">

/** A file that is a rubric by itself. */
const whole = (root: YamlNode, yaml: ReadonlyArray<Diagnostic>, source: SourceText): Understood => {
  if (!isFormatThree(root)) return understood(root, yaml, { formatThree: new Map(), namesNumbers: false, faults: [] })
  const { criteria, diagnostics, root: spelt } = formatTwoTree(root, source)
  const faults = [...shapeDiagnostics(decodeThree(root.plain), root, "a rubric"), ...diagnostics]
  return understood(spelt, yaml, { formatThree: criteria, namesNumbers: true, faults })
}

/** `faults`: what is wrong with the parts of format 3, from which faults of format 2 may follow. */
const understood = (
  root: YamlNode,
  diagnostics: ReadonlyArray<Diagnostic>,
  {
    faults,
    formatThree,
    namesNumbers
  }: Pick<RubricSource, "formatThree" | "namesNumbers"> & {
    readonly faults: ReadonlyArray<Diagnostic>
  }
): Understood => {
  const asWritten = decode(root.plain)
  return {
    draft: draftOf(root),
    asWritten,
    decoded: namesNumbers ? Result.map(asWritten, withNumbers) : asWritten,
    formatThree,
    namesNumbers,
    shape: faults.length > 0 ? faults : shapeDiagnostics(asWritten, root, "a rubric"),
    diagnostics
  }
}

/** The whole that a file with `extends` comes to. */
const extending = (
  source: SourceText,
  { diagnostics, root }: { readonly root: YamlNode; readonly diagnostics: ReadonlyArray<Diagnostic> },
  base: BaseRubric,
  at: Span
): RubricSource => {
  const whole = extendedRubric(root, base, at, source)
  return {
    source,
    ...understood(whole.root, [...diagnostics, ...whole.diagnostics], whole),
    digest: rubricDigest(Buffer.from(`${base.digest}\n${source.text}`)),
    packaged: false,
    base: { id: base.id, version: base.version },
    anchors: whole.anchors
  }
}

/** What was read cannot be used, for these reasons. */
export const rejectSource = (
  read: RubricSource,
  diagnostics: ReadonlyArray<Diagnostic>
): Effect.Effect<never, RubricInvalid> =>
  Effect.fail(new RubricInvalid({ file: read.source.file, problems: problemsOf(read, diagnostics) }))

/** Diagnostics at their places. A problem of an inherited value says where that comes from. */
export const problemsOf = (
  { anchors, base, source }: RubricSource,
  diagnostics: ReadonlyArray<Diagnostic>
): ReadonlyArray<Problem> =>
  locateAll(
    source,
    base === null
      ? diagnostics
      : diagnostics.map((each) =>
          anchors.has(each.span) && (each.hint ?? null) === null
            ? { ...each, hint: `this part comes from ${base.id} ${base.version}; change it here as well` }
            : each
        )
  )

/** The file cannot be used, for these reasons. */
export const reject = (
  source: SourceText,
  diagnostics: ReadonlyArray<Diagnostic>
): Effect.Effect<never, RubricInvalid> =>
  Effect.fail(new RubricInvalid({ file: source.file, problems: locateAll(source, diagnostics) }))

const unpacked = ({ yaml }: PackagedRubric): YamlSource => ({ root: unpackYaml(yaml()), diagnostics: [] })

const decode = SchemaParser.decodeUnknownResult(Rubric, { errors: "all", onExcessProperty: "error" })
const decodeThree = SchemaParser.decodeUnknownResult(RubricThree, { errors: "all", onExcessProperty: "error" })

/** What is wrong with a rubric by what its file says alone: its YAML, its shape, names, points and levels. */
export const fileDiagnostics = ({
  diagnostics,
  draft,
  namesNumbers,
  shape,
  source
}: RubricSource): ReadonlyArray<Diagnostic> => [
  ...diagnostics,
  ...shape,
  ...(namesNumbers ? numberDiagnostics(draft, source) : []),
  ...nameDiagnostics(draft),
  ...pointDiagnostics(draft),
  ...draft.criteria.flatMap(levelDiagnostics)
]
