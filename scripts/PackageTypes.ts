import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

/*
 * The declarations of the package: those that its exports reach, and no others. Plugins use the package's own copy of Effect, so
 * the declarations of `docgauge/plugin` and `docgauge/testing` have a copy of Effect's beside them: authors install nothing for them.
 */

const root = resolve(import.meta.dirname, "..")
const EFFECT = join(root, "node_modules", "effect", "dist")

/** The files of tsconfig.build.json. For programs: `docgauge/effect` and `docgauge/client` are typed by the program's own Effect. */
const FOR_PROGRAMS = ["cli/library/Audit", "cli/library/effect", "server/client"]
const FOR_PLUGINS = ["engine/plugin/entry", "engine/testing/entry"]

/** Writes `types` and `plugin-types` into a folder. */
export const writePackageTypes = (dist: string): void => {
  const emitted = join(dist, "declarations")
  // `npm run check` checks types: to do so here again takes three times as long.
  const flags = ["-p", "tsconfig.build.json", "--noCheck", "--outDir", emitted]
  execFileSync(join(root, "node_modules", ".bin", "tsc"), flags, { cwd: root, stdio: "inherit" })
  writeReached(FOR_PROGRAMS, emitted, join(dist, "types"), "installed")
  writeReached(FOR_PLUGINS, emitted, join(dist, "plugin-types"), "copied")
  rmSync(emitted, { recursive: true })
}

/** Whether a program has an Effect of its own. */
type WhoseEffect = "installed" | "copied"

/** Writes the entries and what they import. */
const writeReached = (entries: ReadonlyArray<string>, emitted: string, target: string, effect: WhoseEffect): void => {
  const reached = new Set(entries.map((entry) => join(emitted, `${entry}.d.ts`)))
  // A set is iterated with what is added meanwhile.
  for (const file of reached) {
    const text = withoutComments(readFileSync(file, "utf8"), file.startsWith(emitted))
    const place = placeOf(file, emitted, target)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(
      place,
      text.replace(IMPORTED, (whole, before: string, specifier: string) => {
        const imported = importedFile(specifier, file, effect)
        if (imported === null) return whole
        reached.add(imported)
        return `${before}"${relativeImport(place, placeOf(imported, emitted, target))}"`
      })
    )
  }
}

/** `from "X"` and `import("X")`. */
const IMPORTED = /(\b(?:from|import)\s*\(?\s*)"([^"\n]+)"/g

/** The declarations that an import names; `null` for those of a package that the program installs itself. */
const importedFile = (specifier: string, importer: string, effect: WhoseEffect): string | null => {
  if (specifier.startsWith(".")) return resolve(dirname(importer), specifier).replace(/\.[jt]s$/, ".d.ts")
  if (effect === "installed" || !/^effect(?:\/|$)/.test(specifier)) return null
  const name = join(EFFECT, specifier.slice("effect".length))
  return [`${name}.d.ts`, join(name, "index.d.ts")].find((file) => existsSync(file)) ?? null
}

const placeOf = (file: string, emitted: string, target: string): string =>
  file.startsWith(emitted) ? join(target, relative(emitted, file)) : join(target, "effect", relative(EFFECT, file))

const relativeImport = (importer: string, imported: string): string => {
  const path = relative(dirname(importer), imported).replace(/\.d\.ts$/, ".ts")
  return path.startsWith(".") ? path : `./${path}`
}

/** Texts, which may look like comments, and comments but for references (`///`). */
const TEXT_OR_COMMENT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*[^]*?\*\/|(?<!\/)\/\/(?!\/).*/g

/** Effect's own documentation would be nine tenths of its declarations. */
const withoutComments = (text: string, isOurs: boolean): string =>
  isOurs
    ? text
    : text.replaceAll(TEXT_OR_COMMENT, (found) => (found.startsWith("/") ? "" : found)).replaceAll(/\n\s*\n/g, "\n")
