import { describe, expect, it } from "vitest"
import { makeSessionOwners } from "../../../server/mcp/SessionOwners.ts"

const bounds = { own: 3, all: 5, idleMs: 1_000 }

describe("who owns which session", () => {
  it("is told by owner, never by the id alone", () => {
    const owners = makeSessionOwners(bounds)
    expect(owners.opened("a", "one", "2025-11-25", 0)).toEqual([])
    expect(owners.revisionOf("a", "one", 1)).toBe("2025-11-25")
    expect(owners.revisionOf("a", "other", 1)).toBeNull()
    expect(owners.revisionOf("b", "one", 1)).toBeNull()
    owners.ended("a")
    expect(owners.revisionOf("a", "one", 1)).toBeNull()
  })

  it("has an owner's idlest session end where there are too many", () => {
    const owners = makeSessionOwners(bounds)
    for (const id of ["a", "b", "c"]) owners.opened(id, "one", "r", 0)
    owners.revisionOf("a", "one", 1)
    expect(owners.opened("d", "one", "r", 2)).toEqual(["b"])
    expect(owners.size()).toBe(3)
  })

  it("has the idlest of all end where many owners come", () => {
    const owners = makeSessionOwners(bounds)
    const ended = Array.from({ length: 20 }, (_, index) => owners.opened(`s${index}`, `owner${index}`, "r", index)).flat()
    expect(owners.size()).toBe(5)
    expect(ended).toEqual(Array.from({ length: 15 }, (_, index) => `s${index}`))
  })

  it("has sessions end that nobody uses", () => {
    const owners = makeSessionOwners(bounds)
    owners.opened("a", "one", "r", 0)
    owners.opened("b", "one", "r", 500)
    owners.revisionOf("a", "one", 700)
    expect(owners.idle(1_600)).toEqual(["b"])
    expect(owners.size()).toBe(1)
  })
})
