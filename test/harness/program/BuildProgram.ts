import { execFile } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import type { VitestPluginContext } from "vitest/node"

const IMPORTED = join(import.meta.dirname, "BuiltProgram.ts")

let built: Promise<unknown> | undefined

/** In a process of its own: vitest would transform all that the build imports. */
const buildOnce = (): Promise<unknown> =>
  (built ??= promisify(execFile)(process.execPath, [join(import.meta.dirname, "writeProgram.ts")]))

/** Builds the program that tests start when a test first imports where it is, while tests that start none run already. A plugin for Vite. */
export const builtProgram = {
  name: "built-program",
  // From vitest's cache of modules, an earlier build would be taken for that of this code.
  configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext): void =>
    defineCacheKeyGenerator(({ id }) => (id === IMPORTED ? false : undefined)),
  load: async (id: string): Promise<null> => {
    if (id === IMPORTED) await buildOnce()
    return null
  }
}
