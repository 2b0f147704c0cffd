import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { Rubric } from "./definition/Rubric.ts"
import { type BaseRubric, baseRubric, rubricDigest } from "./extends/BaseRubric.ts"
import { extendedRubric } from "./extends/ExtendedRubric.ts"
import { RubricThree } from "./format/FormatThree.ts"
import { formatTwoTree, isFormatThree } from "./format/FormatTwoTree.ts"
import { levelDiagnostics, nameDiagnostics, pointDiagnostics } from "./rules/FileRules.ts"
import { type Draft, draftOf } from "./source/Draft.ts"
import { type Diagnostic, fileText, locateAll, type SourceText, sourceText, type Span } from "./source/SourceText.ts"
import { suggestion } from "./source/NearestName.ts"
import { type PackagedRubric, packagedRubric } from "./source/PackagedRubric.ts"
import { type Problem, RubricInvalid } from "./source/Problem.ts"
import { shapeDiagnostics } from "./source/SchemaDiagnostics.ts"
import {
  leafOf,
  mapOf,
  readYamlSource,
  unpackYaml,
  type YamlEntry,
  type YamlNode,
  type YamlSource
} from "./source/YamlSource.ts"
import { numberDiagnostics, withNumbers } from "./rules/Texts.ts"

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

/** What a criterion can measure without a plugin of its own, and the plugin that does. */
const PLUGINS: Readonly<Record<string, string>> = { pages: "measure-pages", description: "measure-description" }

const REVISION = 1

/**
 * A file in which each criterion with `measure: { pages: … }` or `measure: { description: … }` names the plugin that measures it, with
 * what stands there as its params. Every part keeps its place.
 */
const withMeasures = ({ diagnostics, root }: YamlSource): YamlSource => {
  if (root === null) return { diagnostics, root }
  const found: Array<Diagnostic> = []
  const isThree = root.entries.get("format")?.node.plain === 3
  const spelt = (node: YamlNode): YamlNode => {
    const measure = node.entries.get("measure")
    if (measure === undefined) return node
    const fault = faultOf(node, measure)
    if (fault === null) return plugged(node, measure, isThree || isMap(node.entries.get("points")?.node))
    found.push(fault)
    return node
  }
  const criteriaOf = (node: YamlNode): YamlNode => under(node, "criteria", spelt)
  const whole = under(under(criteriaOf(root), "experimental", spelt), "categories", criteriaOf)
  // What else would be said of such a criterion follows from this.
  return { root: found.length > 0 ? null : whole, diagnostics: [...diagnostics, ...found] }
}

const isMap = (node: YamlNode | undefined): boolean => (node?.entries.size ?? 0) > 0

/** A map whose list under a key has other items. */
const under = (node: YamlNode, key: string, each: (item: YamlNode) => YamlNode): YamlNode => {
  const entry = node.entries.get(key)
  if (entry === undefined || !entry.node.items.some((item) => item.entries.size > 0)) return node
  const items = entry.node.items.map(each)
  const list = { ...entry.node, items, plain: items.map(({ plain }) => plain) }
  return mapOf(new Map(node.entries).set(key, { key: entry.key, node: list }), node.span)
}

const faultOf = (criterion: YamlNode, { key, node }: YamlEntry): Diagnostic | null => {
  const kinds = [...node.entries.keys()]
  const other = ["plugin", "revision", "params"].find((name) => criterion.entries.has(name))
  const fault = (message: string, hint: string | null): Diagnostic => ({ rule: "value", span: key, message, hint })
  if (other !== undefined) return fault(`a criterion with "measure" has no "${other}"`, "keep one of the two")
  const [kind = ""] = kinds
  if (kinds.length !== 1) return fault('"measure" takes either "pages" or "description"', EXAMPLE)
  return Object.hasOwn(PLUGINS, kind)
    ? null
    : fault(`"measure" has no "${kind}"`, suggestion(kind, Object.keys(PLUGINS), "it takes"))
}

const EXAMPLE = 'such as measure: { pages: { select: "meta[name=owner]", attribute: content } }'

/** In format 3 a plugin's revision follows its name. */
const plugged = (criterion: YamlNode, { key, node }: YamlEntry, isThree: boolean): YamlNode => {
  const [[kind, params] = ["", { key, node }]] = node.entries
  const plugin = PLUGINS[kind] ?? ""
  const named: ReadonlyArray<readonly [string, YamlEntry]> = isThree
    ? [["plugin", { key: params.key, node: leafOf(`${plugin}@${REVISION}`, params.key) }]]
    : [
        ["plugin", { key: params.key, node: leafOf(plugin, params.key) }],
        ["revision", { key: params.key, node: leafOf(REVISION, params.key) }]
      ]
  const entries = [...criterion.entries].flatMap((entry) =>
    entry[0] === "measure" ? [...named, ["params", params] as const] : [entry]
  )
  return mapOf(new Map(entries), criterion.span)
}
