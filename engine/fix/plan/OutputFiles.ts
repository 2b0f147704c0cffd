import { filePathOf, isSafePath } from "../site/FilePath.ts"
import { type TakenPaths, takenPaths } from "../site/TakenPaths.ts"
import type { Fixes } from "../WriteFixes.ts"

/** A file of the output folder. */
export interface OutputFile {
  /** Relative to the output folder: below `site/` what is published, below `head/` snippets, below `host/` configuration. */
  readonly path: string
  /** Where it is published; of a snippet the page's URL; `null` for configuration. */
  readonly url: string | null
  readonly criteria: ReadonlyArray<string>
  readonly text: string
  /** Whether it completes a file of the owner's. */
  readonly completes: boolean
  /** What was changed in the owner's text beside what was added, as a sentence; left out: nothing. */
  readonly remark?: string
}

/** The folder of snippets whose pages have no safe name of their own; no page is named like it. */
const BY_NUMBER = "by-number"

/** Everything that was written, by path. */
export const outputFiles = ({ configuration, configures, files, heads }: Fixes): ReadonlyArray<OutputFile> => {
  const taken = takenPaths()
  taken.take(BY_NUMBER)
  const all = [
    ...files.map(({ completes, path, ...file }): OutputFile => ({ ...file, path: `site/${path}`, completes: completes !== null })),
    ...heads.map(({ criteria, text, url }, index): OutputFile => ({ path: `head/${headPath(taken, url, index)}`, url, criteria, text, completes: false })),
    ...configuration.map(({ name, text }): OutputFile => ({ path: `host/${name}`, url: null, criteria: configures, text, completes: false }))
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
