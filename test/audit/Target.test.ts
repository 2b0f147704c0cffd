import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parseTarget } from "../../engine/audit/Target.ts"
import { plainForm } from "../../engine/evidence/Address.ts"
import { openArchive, replay } from "../../engine/evidence/Replay.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { typicalSite } from "../sites/typical/Site.ts"
import { auditOver } from "./AuditOver.ts"

const RULES = { allowHttp: false, allowPrivate: false, allowPorts: false }

const read = (text: string): string | null => Result.getOrElse(parseTarget(text, RULES), () => null)

describe("the address of a site", () => {
  it.each([
    ["https://docs.example.com/", "https://docs.example.com"],
    ["https://bücher.example/docs/", "https://bücher.example/docs"],
    ["https://BÜCHER.Example", "https://bücher.example"],
    ["https://bu\u0308cher.example", "https://bücher.example"],
    ["https://b%C3%BCcher.example", "https://bücher.example"],
    ["https://xn--bcher-kva.example", "https://xn--bcher-kva.example"],
    ["https://ｄｏｃｓ.example", "https://docs.example"],
    ["https://دليل.example/ü", "https://دليل.example/%C3%BC"],
    ["https:\\\\bücher.example", "https://bücher.example"]
  ])("%s is kept as %s", (given, kept) => {
    expect(read(given)).toBe(kept)
  })

  it.each([`https://docs.example.com/${"x".repeat(2_048)}`, `https://docs.example.com/${"ü".repeat(1_000)}`])("is refused beyond 2,048 characters, as given and as encoded", (long) => {
    expect(Result.getOrElse(Result.mapError(parseTarget(long, RULES), ({ code }) => code), (code) => code)).toBe("invalid_base_url")
  })

  it("is spelt out where its name has marks that cannot be seen", () =>
    expect(read("https://\u0915\u094D\u200D\u0937.example")).toMatch(/^https:\/\/xn--[\w-]+\.example$/))

  it("has one plain form, however its host is spelt", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (label) => {
      const given = read(`https://${label}.example/docs`)
      fc.pre(given !== null)
      const plain = plainForm(given ?? "")
      expect(plain).toMatch(/^[\0-\x7f]*$/)
      expect(read(plain)).toBe(plain)
      expect(read(given ?? "")).toBe(given)
    }))
  })
})

describe("a site with an internationalised name", () => {
  const [GIVEN, PLAIN] = ["https://bücher.example/docs/latest", "https://xn--bcher-kva.example/docs/latest"]
  const site = layerFakeSite(typicalSite(), { host: new URL(PLAIN).origin })

  it("is audited by its A-label, and reported as it was given", async () => {
    const [given, plain] = [await Effect.runPromise(auditOver(site, GIVEN)), await Effect.runPromise(auditOver(site, PLAIN))]
    expect(JSON.parse(given.text)).toMatchObject({ base_url: GIVEN })
    expect(given.text.replace(GIVEN, PLAIN)).toBe(plain.text)
  })

  it("has the same report from its archive", async () => {
    const live = await Effect.runPromise(auditOver(site, GIVEN))
    const archive = await Effect.runPromise(Effect.flatMap(live.archive, openArchive))
    expect(archive.run?.audited).toBe(GIVEN)
    expect((await Effect.runPromise(auditOver(replay(archive), archive.run?.audited ?? ""))).text).toBe(live.text)
  })
})
