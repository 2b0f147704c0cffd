import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as SchemaParser from "effect/SchemaParser"
import {
  type Diagnostic,
  fileText,
  locateAll,
  type SourceText,
  sourceText,
  type Span
} from "../../engine/rubric/source/SourceText.ts"
import { suggestion } from "../../engine/rubric/source/NearestName.ts"
import { render } from "../../engine/rubric/source/Problem.ts"
import { shapeDiagnostics } from "../../engine/rubric/source/SchemaDiagnostics.ts"
import { readYamlSource, type YamlEntry, type YamlNode } from "../../engine/rubric/source/YamlSource.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import { Config } from "./Config.ts"

/** The names that goals and waivers may use: those of the rubric. */
export interface RubricNames {
  /** Ids of criteria. */
  readonly criteria: ReadonlyArray<string>
  /** Letters of categories. */
  readonly categories: ReadonlyArray<string>
}

/** A configuration file and its places. The text of `source` has no logins. */
export interface ConfigFile {
  /** Without the keys that are unknown. */
  readonly config: Config
  /** Its unknown keys: nothing may be audited where there are some, but what else is wrong can be told with them. */
  readonly unknownKeys: ReadonlyArray<Diagnostic>
  readonly source: SourceText
  readonly root: YamlNode
}

/** Reads a configuration file; the error lists every problem with line, column and code frame, where it is more than unknown keys. */
export const readConfig = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<ConfigFile, CliFailure, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* Effect.mapError(files.readFile(path), () =>
    wrongUsage(`cannot read ${path}. Pass the path of a docgauge.yaml.`)
  )
  const { diagnostic, text } = fileText(bytes)
  const source = sourceText(path, text)
  if (diagnostic !== null) return yield* refuse(source, [diagnostic])
  const { diagnostics, root } = readYamlSource(source)
  if (root === null || diagnostics.length > 0) return yield* refuse(source, diagnostics)
  if (root.plain === null || typeof root.plain !== "object" || Array.isArray(root.plain)) {
    return yield* refuse(source, [
      { rule: "value", span: root.span, message: 'the file must be a map with the key "sites"' }
    ])
  }
  const faults = shapeDiagnostics(decode(root.plain, { onExcessProperty: "error" }), root, "the file")
  const decoded = decode(root.plain, { onExcessProperty: "ignore" })
  return Result.isFailure(decoded)
    ? yield* refuse(withoutLogins(source, root), faults)
    : { config: decoded.success, unknownKeys: faults, source: withoutLogins(source, root), root }
})

/** Criteria and categories that the rubric does not have. */
export const unknownNames = ({ root }: ConfigFile, names: RubricNames): ReadonlyArray<Diagnostic> => {
  const parts = [root, ...(root.entries.get("sites")?.node.items ?? [])]
  return parts.flatMap((part) => [...unknownGoals(part, names), ...unknownWaivers(part, names)])
}

const unknownGoals = (part: YamlNode, names: RubricNames): ReadonlyArray<Diagnostic> =>
  (["criteria", "categories"] as const).flatMap((kind) =>
    [...(part.entries.get("goals")?.node.entries.get(kind)?.node.entries ?? [])]
      .filter(([name]) => !names[kind].includes(name))
      .map(([name, { key }]) => unknownName(name, key, names, kind))
  )

const unknownWaivers = (part: YamlNode, names: RubricNames): ReadonlyArray<Diagnostic> =>
  (part.entries.get("waivers")?.node.items ?? []).flatMap((waiver) => {
    const named = waiver.entries.get("criterion")?.node
    return named === undefined || names.criteria.includes(String(named.plain))
      ? []
      : [unknownName(String(named.plain), named.span, names, "criteria")]
  })

const unknownName = (
  name: string,
  span: Diagnostic["span"],
  names: RubricNames,
  kind: keyof RubricNames
): Diagnostic => ({
  rule: "value",
  span,
  message: `the rubric has no ${kind === "criteria" ? "criterion" : "category"} "${name}"`,
  hint: suggestion(name, names[kind], "it has")
})

const decode = SchemaParser.decodeUnknownResult(Config, { errors: "all" })

/** Fails with each problem, its place and a code frame. */
export const refuse = (
  source: SourceText,
  diagnostics: ReadonlyArray<Diagnostic>
): Effect.Effect<never, CliFailure> => {
  const problems = locateAll(source, diagnostics)
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`
  return Effect.fail(
    wrongUsage(`${source.file} has ${count}; nothing was audited.\n\n${problems.map(render).join("\n\n")}`)
  )
}

/** Keys and, in lists, indexes from the root of the file. */
export type ConfigPath = ReadonlyArray<string | number>

/** The place of the key at the end of a path; `null` if the file does not have it. */
export const keySpan = (root: YamlNode, path: ConfigPath): Span | null => entryAt(root, path)?.key ?? null

/** The place of the value at the end of a path, or of the whole file if it does not have it. */
export const valueSpan = (root: YamlNode, path: ConfigPath): Span => entryAt(root, path)?.node.span ?? root.span

const entryAt = (root: YamlNode, path: ConfigPath): YamlEntry | undefined => {
  const around = path
    .slice(0, -1)
    .reduce(
      (node: YamlNode | undefined, step) =>
        typeof step === "number" ? node?.items[step] : node?.entries.get(step)?.node,
      root
    )
  return around?.entries.get(String(path.at(-1)))
}

/** The text for code frames, where values of logins have asterisks: only the names of variables and of the kind of login are no secret. */
const withoutLogins = (source: SourceText, root: YamlNode): SourceText => {
  const sites = root.entries.get("sites")?.node.items ?? []
  const logins = sites.flatMap(({ entries }) => [
    ...(entries.get("headers")?.node.entries.values() ?? []),
    ...(entries.has("basic_auth") ? [entries.get("basic_auth")] : [])
  ])
  const text = logins.reduce((text, login) => (login === undefined ? text : masked(text, login.node.span)), source.text)
  return sourceText(source.file, text)
}

const masked = (text: string, { end, start }: Span): string =>
  text.slice(0, start) +
  text
    .slice(start, end)
    .replaceAll(/\$\{\w*\}|(?<=^["']?)(?:Bearer|Basic|Token)(?=\s)|[^\s"']/g, (part) =>
      part.length > 1 ? part : "*"
    ) +
  text.slice(end)
