import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Lookup } from "../../../engine/evidence/http/Destination.ts"
import { makeLookup, parseHosts } from "../../../engine/evidence/http/Network.ts"
import { type Answer, type NameServer, nameServer } from "../NameServer.ts"

const SIX = "2606:2800:220:1:0:0:0:1"

const ZONE: Readonly<Record<string, Answer>> = {
  "both.dev": { a: ["93.184.216.34", "93.184.216.35"], aaaa: [SIX] },
  "four.dev": { a: ["93.184.216.34"] },
  "six.dev": { aaaa: [SIX] },
  "empty.dev": {},
  "broken.dev": "SERVFAIL",
  "never.dev": "silence",
  "silent.dev": "silence"
}

let folder: string
let hostsFile: string
let server: NameServer
let lookup: Lookup
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-resolver-"))
  hostsFile = join(folder, "hosts")
  writeFileSync(hostsFile, "# our own\n10.1.2.3 wiki.dev Wiki2.dev # here\n::1 wiki.dev\nnonsense wiki.dev\n\n")
  server = await nameServer((name) => ZONE[name] ?? "NXDOMAIN")
  lookup = makeLookup({ servers: [server.address], hostsFile, lookupMs: 60_000 })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const asked = (name: string): number => server.questions.filter((question) => question === name).length

describe("a look-up", () => {
  it.each([
    ["both.dev", ["93.184.216.34", "93.184.216.35", "2606:2800:220:1::1"]],
    ["four.dev", ["93.184.216.34"]],
    ["six.dev", ["2606:2800:220:1::1"]],
    ["FOUR.dev", ["93.184.216.34"]]
  ])("gives all addresses of %s, those of IPv4 first", async (name, addresses) => {
    expect(await lookup(name)).toEqual(addresses)
  })

  it("takes the hosts file's word before any name server's", async () => {
    expect([await lookup("wiki.dev"), await lookup("WIKI2.dev"), asked("wiki.dev")]).toEqual([
      ["10.1.2.3", "::1"],
      ["10.1.2.3"],
      0
    ])
  })

  it.each([
    ["missing.dev", "ENOTFOUND"],
    ["empty.dev", "ENOTFOUND"],
    ["broken.dev", "EAI_AGAIN"]
  ])("of %s rejects with %s", async (name, code) => {
    await expect(lookup(name)).rejects.toMatchObject({ code })
  })

  it("ends when its time is over", async () => {
    const brief = makeLookup({ servers: [server.address], hostsFile, lookupMs: 700 })
    await expect(brief("never.dev")).rejects.toMatchObject({
      kind: "dns",
      message: "the name servers did not answer within 700 ms"
    })
  })

  it("ends when its signal aborts, and asks nothing from then on", async () => {
    const stop = new AbortController()
    const looking = lookup("silent.dev", stop.signal)
    await expect.poll(() => asked("silent.dev")).toBeGreaterThan(0)
    stop.abort(new Error("enough"))
    await expect(looking).rejects.toThrow("enough")
    // What was sent before may still be on its way.
    await pause(300)
    const before = asked("silent.dev")
    await pause(1_700)
    expect(asked("silent.dev")).toBe(before)
  })

  it("does not begin where its signal has aborted", async () => {
    await expect(lookup("unasked.dev", AbortSignal.abort(new Error("over")))).rejects.toThrow("over")
    expect(asked("unasked.dev")).toBe(0)
  })

  it("is shared by those who ask for one name at once, and goes on while one of them still wants it", async () => {
    const held = Promise.withResolvers<Answer>()
    const slow = await nameServer(() => held.promise)
    const patient = makeLookup({ servers: [slow.address], hostsFile, lookupMs: 60_000 })
    const leaving = new AbortController()
    const [left, stayed] = [patient("shared.dev", leaving.signal), patient("shared.dev", new AbortController().signal)]
    leaving.abort(new Error("left"))
    await expect(left).rejects.toThrow("left")
    held.resolve({ a: ["93.184.216.34"] })
    expect(await stayed).toEqual(["93.184.216.34"])
    expect(new Set(slow.questions)).toEqual(new Set(["shared.dev"]))
    await slow.close()
  })

  it("is a new one for those who ask after the last one left", async () => {
    let answer: Answer = "silence"
    const moody = await nameServer(() => answer)
    const patient = makeLookup({ servers: [moody.address], hostsFile, lookupMs: 60_000 })
    const leaving = new AbortController()
    const left = patient("again.dev", leaving.signal)
    leaving.abort(new Error("left"))
    await expect(left).rejects.toThrow("left")
    answer = { a: ["93.184.216.34"] }
    expect(await patient("again.dev")).toEqual(["93.184.216.34"])
    await moody.close()
  })
})

describe("the hosts file", () => {
  it("never makes an address of what is none, whatever the file holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const addresses of parseHosts(text).values()) expect(addresses.length).toBeGreaterThan(0)
      })
    )
  })

  it("counts as empty where it cannot be read", async () => {
    const bare = makeLookup({ servers: [server.address], hostsFile: join(folder, "missing"), lookupMs: 60_000 })
    expect(await bare("four.dev")).toEqual(["93.184.216.34"])
  })
})
