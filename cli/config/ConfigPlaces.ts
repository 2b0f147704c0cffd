import { type SourceText, sourceText, type Span } from "../../engine/rubric/source/SourceText.ts"
import type { YamlEntry, YamlNode } from "../../engine/rubric/source/YamlSource.ts"

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

/** The text for code frames, where values of logins have asterisks: only the names of variables are no secret. */
export const withoutLogins = (source: SourceText, root: YamlNode): SourceText => {
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
  text.slice(start, end).replaceAll(/\$\{\w*\}|[^\s"']/g, (part) => (part.startsWith("${") ? part : "*")) +
  text.slice(end)
