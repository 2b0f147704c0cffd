import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { rolldown } from "rolldown"
import { keptName } from "../engine/rubric/KeptReading.ts"
import { keptReadingOf } from "../engine/rubric/RubricSource.ts"
import { packageFile, packageFiles } from "../server/PackageFiles.ts"
import { lightStart } from "./LightStart.ts"
import { validatorModules } from "./ValidatorModules.ts"

/*
 * Makes the package's `dist`: what runs, in a few files of `dist/lib` with the libraries in them (opening 800 files is
 * half of a cold start), declarations in `dist/types`, and the rubric with its releases. All of `lib` lies in one folder, as deep as `cli`
 * and `server` do in the tree, so that files are found beside and above the code as they are there.
 */

const root = resolve(import.meta.dirname, "..")
const dist = join(root, "dist")

/** What is started or imported by name. */
const ENTRIES = {
  main: "cli/main.ts",
  AuditProcessMain: "server/AuditProcessMain.ts",
  ProcessWatch: "engine/worker/ProcessWatch.ts",
  CommandThread: "cli/CommandThread.ts",
  PageWorker: "engine/site/PageWorker.ts",
  SpecWorker: "engine/site/SpecWorker.ts",
  OutsideWorker: "engine/outside/OutsideWorker.ts",
  CardWorker: "server/images/CardWorker.ts",
  plugin: "engine/criterion/entry.ts",
  testing: "engine/testing/entry.ts"
}

/** Its effects are run by whoever imports it, so it shares their copy of the library. */
const CLIENT = { client: "server/client.ts" }

/** Left as they are: native parts, their like, and what whoever tests has at hand. */
const EXTERNAL = [/^sqlite3$/, /^@resvg\/resvg-js$/, /^pg-native$/, /^cloudflare:/, /^vitest$/]

/** Read when it is first used: it has the tables of all charsets that there are. */
const SELDOM = { "iconv-lite": "iconv-lite" }

/** Bundles, and tells which modules went in. */
const bundle = async (
  input: Readonly<Record<string, string>>,
  external: ReadonlyArray<RegExp>,
  format: "esm" | "cjs" = "esm"
): Promise<ReadonlyArray<string>> => {
  // The paths of tsconfig.json lead to declarations, not to what runs.
  const graph = await rolldown({ plugins: [...lightStart, validatorModules], input: { ...input }, platform: "node", external: [...external], cwd: root, tsconfig: false })
  const { output } = await graph.write({
    dir: join(dist, "lib"),
    format,
    entryFileNames: format === "esm" ? "[name].js" : "[name].cjs",
    chunkFileNames: "[name]-[hash].js",
    // A third less to read at each start; names stay, for stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } }
  })
  await graph.close()
  return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds.filter((id) => !id.startsWith("\0")) : []))
}

/** The folder of the package that a module belongs to; `null` for our own. */
const packageOf = (module: string): string | null => {
  const inside = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)
  return inside?.[1] ?? null
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The licences of what was bundled or copied: they ask to go with every copy. */
const notices = (modules: ReadonlyArray<string>): string => {
  const folders = [...new Set(modules.flatMap((module) => packageOf(module) ?? []))].sort()
  return folders.map((folder) => {
    const { license = "see its text", name, version }: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort()
    return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())].join("\n\n")
  }).join(`\n\n${"-".repeat(80)}\n\n`)
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
execFileSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" })
const modules = [
  ...await bundle(ENTRIES, EXTERNAL),
  ...await bundle(CLIENT, [...EXTERNAL, /^effect(?:\/|$)/]),
  ...await bundle(SELDOM, [], "cjs")
]
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), `${notices([...modules, ...packageFiles().flatMap((name) => packageFile(name) ?? [])])}\n`)
for (const file of ["rubric.yaml", "rubric.schema.json"]) copyFileSync(join(root, file), join(dist, file))
writeFileSync(join(dist, keptName("rubric.yaml")), JSON.stringify(await Effect.runPromise(keptReadingOf(readFileSync(join(root, "rubric.yaml")), "rubric.yaml"))))
cpSync(join(root, "test", "rubric", "released"), join(dist, "rubrics"), { recursive: true })
mkdirSync(join(dist, "lib", "pages", "assets"), { recursive: true })
cpSync(join(root, "server", "docs"), join(dist, "lib", "docs"), { recursive: true })
for (const name of packageFiles()) copyFileSync(packageFile(name) ?? "", join(dist, "lib", "pages", "assets", name))
chmodSync(join(dist, "lib", "main.js"), 0o755)
