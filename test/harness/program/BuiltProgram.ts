import { join, resolve } from "node:path"

/** The package's code, built from this tree by BuildProgram.ts before the first test that starts the program. */
export const BUILD = resolve(import.meta.dirname, "../../../node_modules/.cache/docgauge-build")

/** `docgauge` as the package runs it: from source, each start would strip the types of hundreds of modules. */
export const PROGRAM = join(BUILD, "lib/main.js")
