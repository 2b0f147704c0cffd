import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { asTyped, leftOutOf, parseTarget, type TargetRules } from "../../engine/audit/Target.ts"
import { plainForm } from "../../engine/evidence/Address.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { typicalSite } from "../golden/typical/Site.ts"
import { auditOver } from "./AuditOver.ts"

const RULES = { allowHttp: false, allowPrivate: false, allowPorts: false, resolve: [] }

const read = (text: string): string | null => Result.getOrElse(parseTarget(text, RULES), () => null)

describe("the address of a site", () => {
  it.each([
    ["https://docs.example.com/", "https://docs.example.com"],
    ["https://bücher.dev/docs/", "https://bücher.dev/docs"],
    ["https://BÜCHER.Dev", "https://bücher.dev"],
    ["https://bu\u0308cher.dev", "https://bücher.dev"],
    ["https://b%C3%BCcher.dev", "https://bücher.dev"],
    ["https://xn--bcher-kva.dev", "https://xn--bcher-kva.dev"],
    ["https://ｄｏｃｓ.dev", "https://docs.dev"],
    ["https://دليل.dev/ü", "https://دليل.dev/%C3%BC"],
    ["https:\\\\bücher.dev", "https://bücher.dev"]
  ])("%s is kept as %s", (given, kept) => {
    expect(read(given)).toBe(kept)
  })

  it.each([
    ["https://docs.example.com/docs?lang=en", "https://docs.example.com/docs?lang=en", "?lang=en"],
    ["https://docs.example.com/docs/?lang=en#top", "https://docs.example.com/docs/?lang=en", "?lang=en#top"],
    ["https://docs.example.com/?a=1", "https://docs.example.com/?a=1", "?a=1"],
    ["https://docs.example.com/docs/", "https://docs.example.com/docs/", ""],
    ["https://docs.example.com/", "https://docs.example.com", ""],
    ["https://docs.example.com#/guide", "https://docs.example.com", "#/guide"],
    ["https://docs.example.com/docs?#", "https://docs.example.com/docs", ""]
  ])("of %s has neither query nor fragment: %s is asked first, %j is told", (given, first, left) => {
    const url = read(given) ?? ""
    const { fragment, query } = leftOutOf(given)
    expect([/[?#]/.test(url), asTyped(given, url), query + fragment]).toEqual([false, first, left])
  })

  it.each([`https://docs.example.com/${"x".repeat(2_048)}`, `https://docs.example.com/${"ü".repeat(1_000)}`])(
    "is refused beyond 2,048 characters, as given and as encoded",
    (long) => {
      expect(
        Result.getOrElse(
          Result.mapError(parseTarget(long, RULES), ({ code }) => code),
          (code) => code
        )
      ).toBe("invalid_base_url")
    }
  )

  it("is spelt out where its name has marks that cannot be seen", () =>
    expect(read("https://\u0915\u094D\u200D\u0937.dev")).toMatch(/^https:\/\/xn--[\w-]+\.dev$/))

  it("has one plain form, however its host is spelt", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (label) => {
        const given = read(`https://${label}.dev/docs`)
        fc.pre(given !== null)
        const plain = plainForm(given ?? "")
        expect(plain).toMatch(/^[\0-\x7f]*$/)
        expect(read(plain)).toBe(plain)
        expect(read(given ?? "")).toBe(given)
      })
    )
  })
})

/** The code of the refusal; `null` where the address is accepted. */
const codeOf = (text: string, rules: Partial<TargetRules> = {}): string | null =>
  Result.match(parseTarget(text, { ...RULES, ...rules }), { onFailure: ({ code }) => code, onSuccess: () => null })

const LABEL = "a".repeat(63)

describe("the host of a site", () => {
  it.each(["https://site.com.", "https://site.com..", "https://site.com.../docs"])(
    "%s has no dots at its end",
    (text) => expect(new URL(read(text) ?? "none").hostname).toBe("site.com")
  )

  it.each([
    "https://docs..site.com",
    "https://.site.com",
    "https://..",
    "https://1.2.3.4.5..",
    `https://${LABEL}a.com`,
    `https://${`${LABEL}.`.repeat(4)}com`
  ])("%s is none", (text) => expect(codeOf(text)).toBe("invalid_base_url"))

  it("may have labels of 63 characters and 253 in all", () =>
    expect(codeOf(`https://${`${LABEL}.`.repeat(3)}${"a".repeat(57)}.com`)).toBeNull())

  it.each([
    "https://wiki",
    "https://wiki..",
    "https://docs.local",
    "https://docs.internal",
    "https://docs.default.svc",
    "https://docs.onion",
    "https://docs.test",
    "https://docs.invalid",
    "https://docs.example",
    "https://docs.localhost",
    "https://127.0.0.1..",
    "https://0x7f.1.."
  ])("%s is not public", (text) => expect(codeOf(text)).toBe("not_public_address"))

  it("is accepted where a rule leads it, or private addresses are allowed", () => {
    const resolve = [{ host: "docs.test", port: 443, address: "127.0.0.1", toPort: 8443 }]
    expect([
      codeOf("https://docs.test", { resolve }),
      codeOf("https://docs.test..", { resolve }),
      codeOf("https://other.test", { resolve })
    ]).toEqual([null, null, "not_public_address"])
    expect([codeOf("https://wiki", { allowPrivate: true }), codeOf("https://a..b", { allowPrivate: true })]).toEqual([
      null,
      "invalid_base_url"
    ])
  })
})

describe("a site with an internationalised name", () => {
  const [GIVEN, PLAIN] = ["https://bücher.dev/docs/latest", "https://xn--bcher-kva.dev/docs/latest"]
  const site = layerFakeSite(typicalSite(), { host: new URL(PLAIN).origin })

  it("is audited by its A-label, and reported as it was given", async () => {
    const [given, plain] = [
      await Effect.runPromise(auditOver(site, GIVEN)),
      await Effect.runPromise(auditOver(site, PLAIN))
    ]
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
