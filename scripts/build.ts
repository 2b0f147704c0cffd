import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Plugin, rolldown } from "rolldown"
import { configJsonSchema } from "../cli/config/Config.ts"
import { reportJsonSchema } from "../engine/audit/Report.ts"
import { packageFile, packageFiles } from "../server/files/PackageFiles.ts"
import { billOfMaterials } from "./BillOfMaterials.ts"
import { packagedRubricModule } from "./PackagedRubricModule.ts"
import { validatorModules } from "./ValidatorModules.ts"

/*
 * Builds the package's `dist`: the code bundled with its libraries into a few files of `dist/lib` (opening 800 files is half of
 * a cold start), declarations in `dist/types`, and the rubric with its releases. `lib` is one folder, as deep as `cli` and
 * `server` in the source tree, so that relative paths to other files stay valid.
 */

const root = resolve(import.meta.dirname, "..")
const dist = join(root, "dist")

/** Entry points. */
const ENTRIES = {
  main: "cli/main.ts",
  AuditProcessMain: "server/audits/AuditProcessMain.ts",
  ProcessWatch: "engine/process/ProcessWatch.ts",
  CommandThread: "cli/CommandThread.ts",
  PageWorker: "engine/parse/PageWorker.ts",
  SpecWorker: "engine/parse/SpecWorker.ts",
  SqliteThread: "engine/store/sqlite/SqliteThread.ts",
  OutsideWorker: "engine/outside/OutsideWorker.ts",
  CardWorker: "server/images/CardWorker.ts",
  library: "cli/library/entry.ts",
  plugin: "engine/criterion/entry.ts",
  testing: "engine/testing/entry.ts"
}

/** The importing program runs their effects, so they must share that program's copy of the library. */
const FOR_EFFECT = { client: "server/client.ts", effect: "cli/library/effect.ts" }

/** `effect.js` calls the library beside it, rather than a copy of its own. */
const libraryBeside = {
  name: "library-beside",
  resolveId: (source: string, importer: string | undefined) =>
    importer === join(root, FOR_EFFECT.effect) && source === "./entry.ts" ? { id: "./library.js", external: true } as const : null
}

/** Not bundled: native packages and their bindings, and what users of `docgauge/testing` install themselves. */
const EXTERNAL = [/^sqlite3$/, /^@resvg\/resvg-js$/, /^pg-native$/, /^cloudflare:/, /^vitest$/]

/** Bundles the code and returns the bundled modules. */
const bundle = async (
  input: Readonly<Record<string, string>>,
  external: ReadonlyArray<RegExp>,
  plugins: ReadonlyArray<Plugin> = []
): Promise<ReadonlyArray<string>> => {
  // The paths of tsconfig.json point to declarations, not to code.
  const graph = await rolldown({ plugins: [validatorModules, packagedRubricModule, ...plugins], input: { ...input }, platform: "node", external: [...external], cwd: root, tsconfig: false })
  const { output } = await graph.write({
    dir: join(dist, "lib"),
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Makes the code a third smaller; names are kept for stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } }
  })
  await graph.close()
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds.filter((id) => !id.startsWith("\0")) : []))
}

/** The converter of HTML to Markdown, which engine/page/conversion/WriteMarkdown.ts reads. */
const CONVERTER = join(root, "node_modules", "mdream", "wasm", "mdream_edge_bg.wasm")

/** The package folder of a module; `null` for our own. */
const packageOf = (module: string): string | null => {
  const inside = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)
  return inside?.[1] ?? null
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The folders of the packages that were bundled or copied. */
const packageFolders = (modules: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(modules.flatMap((module) => packageOf(module) ?? []))].sort()

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** Their licences, which they require in every copy. */
const notices = (folders: ReadonlyArray<string>): string =>
  folders.map((folder) => {
    const { license = "see its text", name, version } = manifestOf(folder)
    const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort()
    return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())].join("\n\n")
  }).join(`\n\n${"-".repeat(80)}\n\n`)

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
execFileSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
const modules = [
  ...await bundle(ENTRIES, EXTERNAL),
  ...await bundle(FOR_EFFECT, [...EXTERNAL, /^effect(?:\/|$)/], [libraryBeside])
]
const folders = packageFolders([...modules, CONVERTER, ...packageFiles().flatMap((name) => packageFile(name) ?? [])])
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), `${notices(folders)}\n`)
writeFileSync(join(dist, "sbom.cdx.json"), `${JSON.stringify(billOfMaterials(root, { license: "MIT", ...manifestOf(root) }, folders.map(manifestOf)), null, 2)}\n`)
for (const file of ["rubric.yaml", "rubric.schema.json", "recipes.yaml"]) copyFileSync(join(root, file), join(dist, file))
for (const [name, schema] of [["config", configJsonSchema()], ["report", reportJsonSchema()]] as const) writeFileSync(join(dist, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`)
cpSync(join(root, "test", "rubric", "released"), join(dist, "rubrics"), { recursive: true })
mkdirSync(join(dist, "lib", "pages", "assets"), { recursive: true })
cpSync(join(root, "server", "docs"), join(dist, "lib", "docs"), { recursive: true })
for (const name of packageFiles()) copyFileSync(packageFile(name) ?? "", join(dist, "lib", "pages", "assets", name))
copyFileSync(CONVERTER, join(dist, "lib", "mdream_edge_bg.wasm"))
for (const file of readdirSync(join(root, "cli", "launch"))) copyFileSync(join(root, "cli", "launch", file), join(dist, file))
for (const file of ["docgauge.cjs", "lib/main.js"]) chmodSync(join(dist, file), 0o755)
