import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { configJsonSchema } from "../cli/config/Config.ts"
import { reportJsonSchema } from "../engine/audit/Report.ts"
import { packageFile, packageFiles } from "../server/files/PackageFiles.ts"
import { billOfMaterials } from "./BillOfMaterials.ts"
import { CONVERTER, writePackageCode } from "./PackageCode.ts"
import { writePackageTypes } from "./PackageTypes.ts"

/*
 * Builds the package's `dist`: what runs (PackageCode.ts), declarations (PackageTypes.ts), JSON Schemas, and what the licences of the
 * bundled libraries require.
 */

const root = resolve(import.meta.dirname, "..")
const dist = join(root, "dist")

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
  folders
    .map((folder) => {
      const { license = "see its text", name, version } = manifestOf(folder)
      const texts = readdirSync(folder)
        .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
        .sort()
      return [
        `${name} ${version} (${license})`,
        ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())
      ].join("\n\n")
    })
    .join(`\n\n${"-".repeat(80)}\n\n`)

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
writePackageTypes(dist)
const modules = await writePackageCode(dist)
const folders = packageFolders([...modules, CONVERTER, ...packageFiles().flatMap((name) => packageFile(name) ?? [])])
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), `${notices(folders)}\n`)
writeFileSync(
  join(dist, "sbom.cdx.json"),
  `${JSON.stringify(billOfMaterials(root, { license: "MIT", ...manifestOf(root) }, folders.map(manifestOf)), null, 2)}\n`
)
for (const [name, schema] of [
  ["config", configJsonSchema()],
  ["report", reportJsonSchema()]
] as const)
  writeFileSync(join(dist, `${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`)
