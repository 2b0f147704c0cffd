import type { PathForm, PathRow } from "./PathTable.ts"

/** A path as it is compared with others: without what tells a form from another, and in lower case. */
export const plainPath = (path: string): string =>
  path
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/(?:\/index)?\.(?:html?|mdx?|markdown)$/, "")
    .replace(/\/index$/, "")
    .replace(/(?<=.)\/$/, "")

const lastSegment = (plain: string): string => plain.slice(plain.lastIndexOf("/") + 1).replaceAll("_", "-")

interface Meant {
  /** The known path that is the same in another form. */
  same: string | null
  /** The known paths whose last part is the same, as far as two tell that there are several. */
  readonly alike: Map<string, string>
}

const FORMS: ReadonlySet<PathRow["form"]> = new Set(["html", "llms_txt", "description"])

/**
 * The pages that were meant by paths that are not there: the same path in another form, or the only page whose last part is the same.
 * The known ones, of which there are up to 100,000, are gone through once and not kept.
 */
export const meantPages = (
  asked: Iterable<string>,
  known: Iterable<Pick<PathRow, "form" | "path">>
): ((path: string) => string | null) => {
  const byPlain = new Map<string, Meant>()
  for (const path of asked) byPlain.set(plainPath(path), { same: null, alike: new Map() })
  const bySegment = Map.groupBy(byPlain, ([plain]) => lastSegment(plain))
  for (const { form, path } of known) {
    if (!FORMS.has(form)) continue
    const plain = plainPath(path)
    const same = byPlain.get(plain)
    if (same !== undefined) same.same ??= path
    const segment = lastSegment(plain)
    if (segment === "") continue
    // A page may be known with and without a slash at its end.
    for (const [, { alike }] of bySegment.get(segment) ?? []) if (alike.size < 2) alike.set(plain, path)
  }
  return (path) => {
    const meant = byPlain.get(plainPath(path))
    if (meant === undefined) return null
    const [only = null] = meant.alike.size === 1 ? meant.alike.values() : []
    const page = meant.same ?? only
    return page === path ? null : page
  }
}

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
