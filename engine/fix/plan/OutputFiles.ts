import { filePathOf, type GeneratedFile, isSafePath, type TakenPaths, takenPaths } from "../site/GeneratedFile.ts"
import type { WritablePlugin } from "../site/WritablePlugins.ts"
import type { Fixes } from "../WriteFixes.ts"

export interface OutputFile {
  /** Relative to the output folder: below `site/` what is published, below `head/` snippets, below `host/` configuration. */
  readonly path: string
  /** Where it is published; of a snippet the page's URL; `null` for configuration. */
  readonly url: string | null
  /** The ids of the criteria that it is for. */
  readonly criteria: ReadonlyArray<string>
  /** Whether it is the Markdown version of a page. */
  readonly isVersion: boolean
  /** The URL of the page that it is the Markdown version of; `null`: it is none. */
  readonly versionOf: string | null
  readonly text: string
  /** Whether it completes a file of the owner's. */
  readonly completes: boolean
  /** It is not known whether the site has a file there; left out: it has none, or this one completes it. */
  readonly onlyIfAbsent?: true
  /** What was changed in the owner's text beside what was added, as a sentence; left out: nothing. */
  readonly remark?: string
}

const isVersion = ({ plugins }: GeneratedFile): boolean => plugins.includes("b1-markdown-twins")

/** The folder of snippets whose pages have no safe name of their own; no page is named like it. */
const BY_NUMBER = "by-number"

/** Everything that was written, by path; `idsOf`: the ids of the criteria of plugins; `unasked`: URLs of which it is not known whether they have a file. */
export const outputFiles = (
  { configuration, configures, files, heads, redirects }: Fixes,
  idsOf: (plugins: ReadonlyArray<WritablePlugin>) => ReadonlyArray<string>,
  unasked: ReadonlySet<string> = new Set()
): ReadonlyArray<OutputFile> => {
  const taken = takenPaths()
  taken.take(BY_NUMBER)
  const all = [
    ...files.map((file): OutputFile => ({
      path: `site/${file.path}`,
      url: file.url,
      criteria: idsOf(file.plugins),
      isVersion: isVersion(file),
      versionOf: file.versionOf ?? null,
      text: file.text,
      completes: file.completes !== null,
      ...(file.completes === null && file.url !== null && unasked.has(file.url) ? { onlyIfAbsent: true } : {}),
      ...(file.remark === undefined ? {} : { remark: file.remark })
    })),
    ...heads.map(({ plugins, text, url }, index): OutputFile => ({
      path: `head/${headPath(taken, url, index)}`,
      url,
      criteria: idsOf(plugins),
      isVersion: false,
      versionOf: null,
      text,
      completes: false
    })),
    ...[
      ...configuration.map((file) => ({ ...file, criteria: idsOf(configures) })),
      // No criterion that files are written for asks for them.
      ...redirects.map((file) => ({ ...file, criteria: [] }))
    ].map(({ criteria, name, text }): OutputFile => ({
      path: `host/${name}`,
      url: null,
      criteria,
      isVersion: false,
      versionOf: null,
      text,
      completes: false
    }))
  ]
  return all.filter(({ path }) => isSafePath(path)).sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The name of a page's HTML file; a number where that is no safe name, or another page has it: `/guide` and `/guide.html`. */
const headPath = (taken: TakenPaths, url: string, index: number): string => {
  const path = pagePath(url)
  return path !== null && taken.take(path) ? path : `${BY_NUMBER}/page-${index + 1}.html`
}

const pagePath = (url: string): string | null => {
  const path = filePathOf(url.endsWith("/") ? `${url}index.html` : url)
  if (path === null) return null
  const named = /\.html?$/i.test(path) ? path : `${path}.html`
  return isSafePath(`head/${named}`) ? named : null
}
