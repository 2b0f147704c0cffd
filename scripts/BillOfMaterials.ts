import { execFileSync } from "node:child_process"
import { relative } from "node:path"
import * as Schema from "effect/Schema"

/*
 * The package's bill of materials (SBOM), in CycloneDX: what npm says of the packages that were bundled or copied into it, and of
 * those that it installs. It has no date and no serial number, so that the same commit gives the same package.
 */

const Component = Schema.Struct({
  "bom-ref": Schema.String,
  name: Schema.String,
  version: Schema.String,
  purl: Schema.String
})

const Bill = Schema.Struct({
  metadata: Schema.Struct({ component: Component }),
  components: Schema.Array(Schema.StructWithRest(
    Schema.Struct({ ...Component.fields, properties: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })) }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  )),
  dependencies: Schema.Array(Schema.Struct({ ref: Schema.String, dependsOn: Schema.Array(Schema.String) }))
})

const PATH = "cdx:npm:package:path"

/** What npm marks as a tool of development is part of the package where it was bundled. */
const DEVELOPMENT = "cdx:npm:package:development"

/** The SBOM of the package in `root`; `folders` are the packages that were bundled or copied. */
export const billOfMaterials = (root: string, folders: ReadonlyArray<string>): unknown => {
  const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], { cwd: root, encoding: "utf8", maxBuffer: 64 * 2 ** 20 })
  const { components, dependencies, metadata } = Schema.decodeUnknownSync(Schema.fromJsonString(Bill))(text)
  const bundled = new Set(folders.map((folder) => relative(root, folder)))
  const pathOf = ({ properties }: (typeof components)[number]): string => properties.find(({ name }) => name === PATH)?.value ?? ""
  const included = components.filter((component) => bundled.has(pathOf(component)))
  const missing = [...bundled].filter((path) => !included.some((component) => pathOf(component) === path))
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(", ")}`)
  const known = new Set([metadata.component["bom-ref"], ...included.map((component) => component["bom-ref"])])
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", ...metadata.component } },
    components: included.map(({ properties, ...component }) => ({ ...component, properties: properties.filter(({ name }) => name !== DEVELOPMENT) })),
    dependencies: dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ dependsOn, ref }) => ({ ref, dependsOn: ref === metadata.component["bom-ref"] ? included.map((component) => component["bom-ref"]) : dependsOn.filter((other) => known.has(other)) }))
  }
}
