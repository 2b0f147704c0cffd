import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/*
 * Static files. In the repository they are in `server/pages/assets`, `engine/report/html` and the libraries; in the package all of them are in
 * `dist/lib/pages/assets`, where scripts/PackageCode.ts copies them.
 */

/** Our own style sheets and scripts. */
const OWN = new URL(import.meta.url.endsWith(".ts") ? "../pages/assets/" : "./pages/assets/", import.meta.url)

/** Files of libraries and of reports, by their name here. */
const BORROWED: Readonly<Record<string, string>> = {
  "base.css": "../../engine/report/html/base.css",
  "report.css": "../../engine/report/html/report.css",
  "inter-400.woff": "../../node_modules/@fontsource/inter/files/inter-latin-400-normal.woff",
  "inter-400.woff2": "../../node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2",
  "inter-600.woff2": "../../node_modules/@fontsource/inter/files/inter-latin-600-normal.woff2",
  "inter-600.woff": "../../node_modules/@fontsource/inter/files/inter-latin-600-normal.woff",
  "inter-latin-ext-400.woff": "../../node_modules/@fontsource/inter/files/inter-latin-ext-400-normal.woff",
  "inter-latin-ext-600.woff": "../../node_modules/@fontsource/inter/files/inter-latin-ext-600-normal.woff"
}

/** The folder of our own files; scripts/PackageCode.ts reads it. */
const ownFolder = fileURLToPath(OWN)

/** The path of a library's file in the repository. */
const borrowedPath = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

/** The path of the file with that name; `null` if there is none. */
export const packageFile = (name: string): string | null => {
  const own = fileURLToPath(new URL(name, OWN))
  if (existsSync(own)) return own
  const place = BORROWED[name]
  const borrowed = place === undefined ? null : borrowedPath(place)
  return borrowed !== null && existsSync(borrowed) ? borrowed : null
}

/** The names of our own files; `tsconfig.json` beside them tells the linter that no script shares names with another. */
const ownFiles = (): ReadonlyArray<string> => readdirSync(ownFolder).filter((name) => !name.endsWith(".json"))

/** The names of all files. */
export const packageFiles = (): ReadonlyArray<string> => [...new Set([...ownFiles(), ...Object.keys(BORROWED)])].sort()

/** In the package `dist/lib/docs`, where scripts/PackageCode.ts puts it. */
const FOLDER = new URL(import.meta.url.endsWith(".ts") ? "../docs/" : "./docs/", import.meta.url)

/** The text of a documentation file. Throws if it is missing, because the files are part of the package. */
export const docsFile = (path: string): string => readFileSync(new URL(path, FOLDER), "utf8")
