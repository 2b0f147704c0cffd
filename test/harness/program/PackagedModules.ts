import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import type { VitestPluginContext } from "vitest/node"

const root = resolve(import.meta.dirname, "../../..")

/** What the build of the package computes once, and each process that runs from source again. */
export const PACKAGED = join(root, "node_modules/.cache/docgauge-packaged")

/** Modules that the package has in another form, and the files with that. */
export const PACKAGED_MODULES = {
  rubric: { replaces: join(root, "engine/rubric/source/PackagedRubric.ts"), file: "rubric.mjs" },
  validators: { replaces: join(root, "engine/apispec/validity/Validators.ts"), file: "validators.mjs" }
} as const

let written: Promise<unknown> | undefined

/** Written when a test first imports one of them, in a process of its own: vitest would transform all that this imports. Fails if rubric.yaml has problems. */
const writeOnce = (): Promise<unknown> =>
  (written ??= promisify(execFile)(process.execPath, [join(import.meta.dirname, "writePackagedModules.ts")]))

/**
 * Gives tests the checked rubric and the compiled validators of the package: parsing and checking the rubric took 110 to 400 ms of
 * processor time each time a test loaded it. A plugin for Vite.
 */
export const packagedModules = {
  name: "packaged-modules",
  // From vitest's cache of modules, those of an earlier rubric would be taken.
  configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext): void =>
    defineCacheKeyGenerator(({ id }) =>
      Object.values(PACKAGED_MODULES).some(({ replaces }) => id === replaces) ? false : undefined
    ),
  load: async (id: string): Promise<string | null> => {
    const found = Object.values(PACKAGED_MODULES).find(({ replaces }) => id === replaces)
    if (found === undefined) return null
    await writeOnce()
    return readFile(join(PACKAGED, found.file), "utf8")
  }
}
