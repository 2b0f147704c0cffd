import { readdirSync, readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { parseSync, Visitor } from "rolldown/utils"

export const ROOT = resolve(import.meta.dirname, "../..")

/** A regular expression of ours and where it is: a file, and the line where it is written out. */
export interface Pattern {
  readonly at: string
  readonly source: string
  readonly flags: string
}

const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name))

/** The regular expressions that stand in our sources. */
export const writtenPatterns = (): ReadonlyArray<Pattern> =>
  ["engine", "plugins", "server", "cli"].flatMap(sources).flatMap(patternsIn)

const patternsIn = (file: string): ReadonlyArray<Pattern> => {
  const text = readFileSync(file, "utf8")
  const found: Array<Pattern> = []
  new Visitor({
    Literal: (node) => {
      if (!("regex" in node)) return
      const line = text.slice(0, node.start).split("\n").length
      found.push({ at: `${relative(ROOT, file)}:${line}`, source: node.regex.pattern, flags: node.regex.flags })
    }
  }).visit(parseSync(file, text).program)
  return found
}

/** The files that put regular expressions together. */
export const filesThatBuild = (): ReadonlyArray<string> =>
  ["engine", "plugins", "server", "cli"]
    .flatMap(sources)
    .filter((file) => readFileSync(file, "utf8").includes("new RegExp("))
    .map((file) => relative(ROOT, file))

/** The regular expressions that our modules put together in the meantime. */
export const builtPatterns = async (run: () => Promise<unknown>): Promise<ReadonlyArray<Pattern>> => {
  const found: Array<Pattern> = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, [source, flags]: [string | RegExp, string | undefined]) => {
      const pattern = new target(source, flags)
      // The line after our own is that of the caller.
      const caller = (new Error("where").stack ?? "").split("\n")[2] ?? ""
      const file = /\/((?:engine|plugins|server|cli)\/[\w/-]+\.ts)/.exec(caller)?.[1]
      if (file !== undefined && !caller.includes("node_modules"))
        found.push({ at: file, source: pattern.source, flags: pattern.flags })
      return pattern
    }
  })
  try {
    await run()
  } finally {
    globalThis.RegExp = Original
  }
  return found
}
