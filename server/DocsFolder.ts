import { readFileSync } from "node:fs"

/** In the tree beside this file; in the package in `dist/lib/docs`, where scripts/build.ts puts it. */
const FOLDER = new URL("./docs/", import.meta.url)

/** The text of a file of the documentation. Throws where there is none: the files are part of the package. */
export const docsFile = (path: string): string => readFileSync(new URL(path, FOLDER), "utf8")
