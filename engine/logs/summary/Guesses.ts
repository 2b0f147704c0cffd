import type { PathForm } from "./PathForm.ts"
import type { PathRow } from "./PathTable.ts"

interface Guesses {
  readonly pattern: string
  readonly requests: number
  readonly paths: number
  readonly example: string
}

/** What a group of missing paths is called that have a form in common. */
const PATTERNS: Readonly<Partial<Record<PathForm, string>>> = {
  markdown: "Markdown versions (*.md)",
  llms_txt: "llms.txt",
  description: "API descriptions",
  site_file: "robots.txt, sitemaps and /.well-known/",
  asset: "images, styles and scripts"
}

/** Missing pages of one folder that make a pattern. */
const IN_FOLDER = 3

/** Patterns that are told. */
const MOST_PATTERNS = 20

/** Groups what was asked for and is not there: by form, pages by the folder that several of them are in. */
export const guessesOf = (asked: ReadonlyArray<PathRow>): ReadonlyArray<Guesses> => {
  const missing = asked.filter((row) => row.missing > 0)
  const folders = Map.groupBy(missing, ({ path }) => folderOf(path))
  const patternOf = ({ form, path }: PathRow): string => {
    const folder = folderOf(path)
    const isPattern = folder !== "/" && (folders.get(folder)?.length ?? 0) >= IN_FOLDER
    return PATTERNS[form] ?? (isPattern ? `${folder}*` : "other pages")
  }
  return [...Map.groupBy(missing, patternOf)]
    .map(([pattern, rows]) => ({
      pattern,
      requests: rows.reduce((total, row) => total + row.missing, 0),
      paths: rows.length,
      example: rows.reduce((most, row) => (row.missing > most.missing ? row : most)).path
    }))
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, MOST_PATTERNS)
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)
