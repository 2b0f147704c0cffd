import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { peerProblem, requirePeer } from "../../engine/config/PeerPackage.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-peers-"))
afterAll(() => rmSync(folder, { recursive: true }))

const beside = (version: string): string => {
  mkdirSync(join(folder, version, "node_modules/effect"), { recursive: true })
  writeFileSync(join(folder, version, "node_modules/effect/package.json"), JSON.stringify({ name: "effect", version }))
  return pathToFileURL(join(folder, version, "module.js")).href
}

const NEED = { user: "docgauge/effect", name: "effect", oldest: "4.1" }

describe("a package that users install beside docgauge", () => {
  it("is refused with one sentence that names the version that is needed", () => {
    expect(() => requirePeer(NEED, beside("3.19.8"))).toThrow(
      "docgauge/effect needs effect 4.1 or later, and 3.19.8 is installed: run npm install effect@4.1."
    )
    expect(peerProblem(NEED, beside("4.0.5"))).toContain("4.0.5 is installed")
  })

  it("is taken from the oldest version on, and where its version cannot be read", () => {
    for (const version of ["4.1.0", "4.10.2", "5.0.0"]) expect(peerProblem(NEED, beside(version))).toBe(null)
    expect(peerProblem({ ...NEED, name: "is-missing" }, beside("4.1.0"))).toBe(null)
  })
})
