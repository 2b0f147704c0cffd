import { mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"

/** Gives a copy of a tree the packages of that tree, and a `.cache` of its own, where what its tests build belongs. */
export const linkModules = (tree: string, copy: string): void => {
  const [modules, own] = [join(tree, "node_modules"), join(copy, "node_modules")]
  mkdirSync(own)
  for (const name of readdirSync(modules)) if (name !== ".cache") symlinkSync(join(modules, name), join(own, name))
}
