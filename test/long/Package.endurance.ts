import { readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { auditing, bareNode, type BareNode, docgauge, emptyProject, MANAGERS, pack, packageManager, servingFromFile, workshop } from "../harness/Installed.ts"

/*
 * Every package manager with every version of Node that the package supports, without a compiler: `npm run test:endurance --
 * test/long/Package.endurance.ts`. It needs a registry; what that does not have is said and skipped.
 */

const { folder, remove } = workshop()
afterAll(remove)

let tarball = ""
const nodes = new Map<string, BareNode | null>()

const NODES = ["22.19.0", "24"]

beforeAll(async () => {
  tarball = pack(folder)
  for (const version of NODES) nodes.set(version, await bareNode(folder, version))
})

describe.each(NODES)("Node %s", (version) => {
  it.each(Object.keys(MANAGERS))("installs with %s, audits and serves from a file", async (name) => {
    const [node, manager] = [nodes.get(version) ?? null, await packageManager(folder, name)]
    if (node === null || manager === null) return console.warn(`skipped: the registry has no ${node === null ? `Node ${version}` : name}`)
    const project = emptyProject(folder, `${name.replace(" ", "-")}-${version}`)
    const begun = performance.now()
    const installed = await manager.install(project, tarball, node)
    console.log(`${name} ${manager.version} on Node ${node.version}: ${Math.round((performance.now() - begun) / 100) / 10} s`)
    expect({ code: installed.code, said: installed.code === 0 ? "" : installed.stdout + installed.stderr }).toEqual({ code: 0, said: "" })
    expect(readdirSync(join(project, "node_modules"))).not.toContain("sqlite3")
    const finished = await auditing((args) => docgauge(project, node, args))
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: "" })
    expect((await servingFromFile(project, node)).health).toBe(200)
  })
})
