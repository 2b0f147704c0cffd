import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { packageFile, packageFiles } from "../server/files/PackageFiles.ts"
import { chunkGroups } from "./Chunks.ts"
import { packagedRubricModule } from "./PackagedRubricModule.ts"
import { validatorModules } from "./ValidatorModules.ts"

/*
 * What runs of the package: the code bundled with its libraries into a few files of `lib` (opening 800 files is half of a cold
 * start; see Chunks.ts), and the files that it reads. `lib` is one folder, as deep as `cli` and `server` in the source tree, so that
 * relative paths to other files stay valid.
 */

const root = resolve(import.meta.dirname, "..")

/** Entry points. */
const ENTRIES = {
  main: "cli/main.ts",
  AuditProcessMain: "server/audits/AuditProcessMain.ts",
  ProcessWatch: "engine/process/ProcessWatch.ts",
  CommandThread: "cli/CommandThread.ts",
  PageWorker: "engine/parse/PageWorker.ts",
  SpecWorker: "engine/parse/SpecWorker.ts",
  SqliteThread: "engine/store/sqlite/SqliteThread.ts",
  ExternalWorker: "engine/external/ExternalWorker.ts",
  CardWorker: "server/images/CardWorker.ts",
  library: "cli/library/Audit.ts",
  plugin: "engine/plugin/entry.ts",
  testing: "engine/testing/entry.ts"
}

/** The importing program runs their effects, so they must share that program's copy of the library. */
const FOR_EFFECT = { client: "server/client.ts", effect: "cli/library/effect.ts" }

/** `effect.js` calls the library beside it, rather than a copy of its own. */
const libraryBeside = {
  name: "library-beside",
  resolveId: (source: string, importer: string | undefined) =>
    importer === join(root, FOR_EFFECT.effect) && source === "./Audit.ts"
      ? ({ id: "./library.js", external: true } as const)
      : null
}

/** What pg-boss imports for its schedules, of which the queue has none: the calendars behind these are 0.8 MB of code. */
const SCHEDULES: ReadonlyMap<string, string> = new Map([
  ["rrule-temporal", "export class RRuleTemporal {}"],
  ["cron-parser", "export class CronExpressionParser {}"]
])

const withoutSchedules: Plugin = {
  name: "without-schedules",
  resolveId: (source) => (SCHEDULES.has(source) ? `\0${source}` : null),
  load: (id) => SCHEDULES.get(id.slice(1)) ?? null
}

/** Not bundled: native packages and their bindings, and what users of `docgauge/testing` install themselves. */
const EXTERNAL = [/^sqlite3$/, /^@resvg\/resvg-js$/, /^pg-native$/, /^cloudflare:/, /^vitest$/]

/** Modules that are imported both ways are in one file on purpose (Chunks.ts). */
const CHECKS = { ineffectiveDynamicImport: false }

/** Bundles the code and returns the bundled modules. */
const bundle = async (
  dist: string,
  input: Readonly<Record<string, string>>,
  external: ReadonlyArray<RegExp>,
  plugins: ReadonlyArray<Plugin> = []
): Promise<ReadonlyArray<string>> => {
  // The paths of tsconfig.json point to declarations, not to code.
  const graph = await rolldown({
    plugins: [validatorModules, packagedRubricModule, withoutSchedules, ...plugins],
    input: { ...input },
    platform: "node",
    external: [...external],
    cwd: root,
    tsconfig: false,
    checks: CHECKS
  })
  const { output } = await graph.write({
    dir: join(dist, "lib"),
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Makes the code a third smaller; names are kept for stack traces.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    codeSplitting: { groups: chunkGroups }
  })
  await graph.close()
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds.filter((id) => !id.startsWith("\0")) : []))
}

/** The converter of HTML to Markdown, which engine/page/conversion/HtmlNodes.ts reads. */
export const CONVERTER = join(root, "node_modules", "mdream", "wasm", "mdream_edge_bg.wasm")

/** Writes all that into a folder and returns the modules that were bundled. */
export const writePackageCode = async (dist: string): Promise<ReadonlyArray<string>> => {
  const modules = [
    ...(await bundle(dist, ENTRIES, EXTERNAL)),
    ...(await bundle(dist, FOR_EFFECT, [...EXTERNAL, /^effect(?:\/|$)/], [libraryBeside]))
  ]
  for (const file of ["rubric.yaml", "rubric.schema.json", "recipes.yaml", "evidence.yaml", "referee.yaml"])
    copyFileSync(join(root, file), join(dist, file))
  cpSync(join(root, "test", "rubric", "released"), join(dist, "rubrics"), { recursive: true })
  mkdirSync(join(dist, "lib", "pages", "assets"), { recursive: true })
  cpSync(join(root, "server", "docs"), join(dist, "lib", "docs"), { recursive: true })
  for (const name of packageFiles()) copyFileSync(packageFile(name) ?? "", join(dist, "lib", "pages", "assets", name))
  copyFileSync(CONVERTER, join(dist, "lib", "mdream_edge_bg.wasm"))
  for (const file of readdirSync(join(root, "cli", "launch")))
    copyFileSync(join(root, "cli", "launch", file), join(dist, file))
  for (const file of ["docgauge.cjs", "lib/main.js"]) chmodSync(join(dist, file), 0o755)
  return modules
}
