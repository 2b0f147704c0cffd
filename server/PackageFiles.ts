import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

/*
 * Files that are sent or read as they are. In the tree they lie beside the code or in the libraries that bring them; in
 * the package all of them lie in `dist/lib/pages/assets`, where scripts/build.ts puts them.
 */

/** Our own: style sheets and scripts. */
const OWN = new URL("./pages/assets/", import.meta.url)

/** Files of libraries, by the name that they have here. */
export const BORROWED: Readonly<Record<string, string>> = {
  "scalar.js": "../node_modules/@scalar/api-reference/dist/browser/standalone.js",
  "inter-400.woff": "../node_modules/@fontsource/inter/files/inter-latin-400-normal.woff",
  "inter-600.woff": "../node_modules/@fontsource/inter/files/inter-latin-600-normal.woff",
  "inter-latin-ext-400.woff": "../node_modules/@fontsource/inter/files/inter-latin-ext-400-normal.woff",
  "inter-latin-ext-600.woff": "../node_modules/@fontsource/inter/files/inter-latin-ext-600-normal.woff"
}

/** The folder of our own files, for whoever builds the package. */
export const ownFolder = fileURLToPath(OWN)

/** Where a file of a library lies in the tree. */
export const borrowedPath = (place: string): string => fileURLToPath(new URL(place, import.meta.url))

/** Where a file of that name lies; `null` where there is none. */
export const packageFile = (name: string): string | null => {
  const own = fileURLToPath(new URL(name, OWN))
  if (existsSync(own)) return own
  const place = BORROWED[name]
  const borrowed = place === undefined ? null : borrowedPath(place)
  return borrowed !== null && existsSync(borrowed) ? borrowed : null
}

/** The names of all files. */
export const packageFiles = (): ReadonlyArray<string> => [...new Set([...readdirSync(ownFolder), ...Object.keys(BORROWED)])].sort()
