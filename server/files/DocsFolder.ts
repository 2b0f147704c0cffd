import { readFileSync } from "node:fs"

/** In the package `dist/lib/docs`, where scripts/PackageCode.ts puts it. */
const FOLDER = new URL(import.meta.url.endsWith(".ts") ? "../docs/" : "./docs/", import.meta.url)

/** The text of a documentation file. Throws if it is missing, because the files are part of the package. */
export const docsFile = (path: string): string => readFileSync(new URL(path, FOLDER), "utf8")
