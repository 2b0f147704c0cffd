import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { linkModules } from "../harness/program/LinkedModules.ts"
import { type CliRun, runCli } from "./RunCli.ts"

const ROOT = resolve(import.meta.dirname, "..", "..")

/** A copy of the source tree, as an author has it. */
export interface AuthorTree {
  readonly root: string
  /** Makes it as this tree is. */
  readonly renew: () => void
  /** Runs its `docgauge` in it. */
  readonly docgauge: (...args: ReadonlyArray<string>) => Promise<CliRun>
  /** What an author writes, by its path: plugins, their tests and the rubric. */
  readonly files: () => ReadonlyMap<string, string>
  readonly remove: () => void
}

export const makeAuthorTree = (): AuthorTree => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-tree-"))
  const root = join(folder, "docgauge")
  return {
    root,
    renew: () => {
      rmSync(root, { recursive: true, force: true })
      mkdirSync(root)
      const parts = readdirSync(ROOT).filter(
        (name) => !["node_modules", "dist", ".git", "data", "coverage"].includes(name)
      )
      const long = join(ROOT, "test", "node_modules")
      for (const part of parts)
        cpSync(join(ROOT, part), join(root, part), { recursive: true, filter: (path) => path !== long })
      linkModules(ROOT, root)
    },
    docgauge: (...args) => runCli(args, { cwd: root, cli: join(root, "cli", "main.ts") }),
    files: () => {
      const paths = ["plugins", join("test", "plugins"), join("test", "rubric")].flatMap((part) =>
        readdirSync(join(root, part), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      )
      return new Map([...paths, "rubric.yaml"].map((path) => [path, readFileSync(join(root, path), "utf8")]))
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}
