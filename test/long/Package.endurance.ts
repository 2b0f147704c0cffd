import { mkdtempSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  auditing,
  bareNode,
  type BareNode,
  docgauge,
  emptyProject,
  MANAGERS,
  pack,
  packageManager,
  PLUG_N_PLAY,
  runIn,
  servingFromFile,
  workshop
} from "../harness/Installed.ts"

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
  it.each(["npm 11", "npm 12"])(
    "installs as a program with %s and an empty cache, in the seconds that are printed",
    async (name) => {
      const [node, manager] = [nodes.get(version) ?? null, await packageManager(folder, name)]
      if (node === null || manager === null)
        return console.warn(`skipped: the registry has no ${node === null ? `Node ${version}` : name}`)
      const [prefix, cache] = [mkdtempSync(join(folder, "prefix-")), mkdtempSync(join(folder, "cache-"))]
      const begun = performance.now()
      const { code, stderr } = await manager.run(
        folder,
        ["install", "--global", "--prefix", prefix, "--cache", cache, tarball],
        node
      )
      // How long it takes is up to the registry and the network, so it is no reason to fail.
      console.log(
        `npm install --global with ${name} on Node ${node.version}, without a cache: ${Math.round((performance.now() - begun) / 100) / 10} s; the goal is 15 s`
      )
      expect({ code, said: code === 0 ? "" : stderr }).toEqual({ code: 0, said: "" })
      expect(await runIn(folder, join(prefix, "bin/docgauge"), ["--version"], node.env)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^docgauge \d/)
      })
    }
  )

  it("audits with yarn's Plug'n'Play, where the package stays in its archive", async () => {
    const [node, yarn] = [nodes.get(version) ?? null, await packageManager(folder, PLUG_N_PLAY)]
    if (node === null || yarn === null)
      return console.warn(`skipped: the registry has no ${node === null ? `Node ${version}` : "yarn"}`)
    const project = emptyProject(folder, `pnp-${version}`)
    expect(await yarn.install(project, tarball, node)).toMatchObject({ code: 0 })
    const finished = await auditing((args) => yarn.run(project, ["docgauge", ...args], node))
    expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: "" })
  })

  it.each(Object.keys(MANAGERS).filter((name) => name !== PLUG_N_PLAY))(
    "installs with %s, audits and serves from a file",
    async (name) => {
      const [node, manager] = [nodes.get(version) ?? null, await packageManager(folder, name)]
      if (node === null || manager === null)
        return console.warn(`skipped: the registry has no ${node === null ? `Node ${version}` : name}`)
      const project = emptyProject(folder, `${name.replace(" ", "-")}-${version}`)
      const begun = performance.now()
      const installed = await manager.install(project, tarball, node)
      console.log(
        `${name} ${manager.version} on Node ${node.version}: ${Math.round((performance.now() - begun) / 100) / 10} s`
      )
      expect({ code: installed.code, said: installed.code === 0 ? "" : installed.stdout + installed.stderr }).toEqual({
        code: 0,
        said: ""
      })
      expect(readdirSync(join(project, "node_modules"))).not.toContain("sqlite3")
      const finished = await auditing((args) => docgauge(project, node, args))
      expect({ code: finished.code, stderr: finished.stderr }).toEqual({ code: 0, stderr: "" })
      expect((await servingFromFile(project, node)).health).toBe(200)
    }
  )
})
