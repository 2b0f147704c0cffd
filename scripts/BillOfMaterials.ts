import { execFileSync } from "node:child_process"
import * as Schema from "effect/Schema"

/*
 * The package's bill of materials (SBOM), in CycloneDX: what npm says of the packages that were bundled or copied into it. It has
 * no date and no serial number, so that the same commit gives the same package.
 */

/** A package by name and version. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
}

const Component = Schema.StructWithRest(
  Schema.Struct({
    "bom-ref": Schema.String,
    name: Schema.String,
    version: Schema.String,
    purl: Schema.String
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const Bill = Schema.Struct({
  components: Schema.Array(Component),
  dependencies: Schema.Array(Schema.Struct({ ref: Schema.String, dependsOn: Schema.Array(Schema.String) }))
})

/** The SBOM of `product`, whose sources are in `root`. */
export const billOfMaterials = (
  root: string,
  product: BundledPackage & { readonly license: string },
  bundled: ReadonlyArray<BundledPackage>
): unknown => {
  const text = execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20
  })
  const { components, dependencies } = Schema.decodeUnknownSync(Schema.fromJsonString(Bill))(text)
  const wanted = new Set(bundled.map(idOf))
  const included = components.filter((component) => wanted.has(idOf(component)))
  const known = new Set(included.map(idOf))
  const missing = [...wanted].filter((id) => !known.has(id))
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(", ")}`)
  const references = new Set(included.map((component) => component["bom-ref"]))
  const own = idOf(product)
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        "bom-ref": own,
        type: "application",
        name: product.name,
        version: product.version,
        purl: `pkg:npm/${product.name}@${product.version}`,
        licenses: [{ license: { id: product.license } }]
      }
    },
    // npm marks them as tools of development, which they are no more once they were bundled.
    components: included.map((component) => ({ ...component, properties: [] })),
    dependencies: [
      { ref: own, dependsOn: [...references] },
      ...dependencies
        .filter(({ ref }) => references.has(ref))
        .map(({ dependsOn, ref }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) }))
    ]
  }
}

const idOf = ({ name, version }: BundledPackage): string => `${name}@${version}`
