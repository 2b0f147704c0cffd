import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseResolveRule, type ResolveRule, ruleFor } from "../../../engine/evidence/http/Destination.ts"

const rule = (text: string): ResolveRule => Result.getOrThrow(parseResolveRule(text))

describe("parseResolveRule", () => {
  it.each([
    ["docs.example.com:443:127.0.0.1", { host: "docs.example.com", port: 443, address: "127.0.0.1", toPort: 443 }],
    [
      "Docs.Example.com.:443:127.0.0.1:8843",
      { host: "docs.example.com", port: 443, address: "127.0.0.1", toPort: 8843 }
    ],
    ["*:443:[::1]:8843", { host: "*", port: 443, address: "::1", toPort: 8843 }],
    ["bücher.example:80:10.0.0.1", { host: "xn--bcher-kva.example", port: 80, address: "10.0.0.1", toPort: 80 }]
  ])("reads %s", (text, expected) => expect(rule(text)).toEqual(expected))

  it.each([
    ["", "HOST:PORT:ADDRESS"],
    ["example.com", "HOST:PORT:ADDRESS"],
    ["example.com:443", "HOST:PORT:ADDRESS"],
    ["example.com:443:::1", "brackets"],
    ["127.0.0.1:443:127.0.0.1", "HOST must be a name"],
    ["2130706433:443:127.0.0.1", "HOST must be a name"],
    ["*.example.com:443:127.0.0.1", "not a host name"],
    ["example.com:443:other.example", "not an IP address"],
    ["example.com:0:127.0.0.1", "ports"],
    ["example.com:443:127.0.0.1:70000", "ports"],
    ["a b:443:127.0.0.1", "not a host name"]
  ])("refuses %j, saying %j", (text, clause) => {
    const result = parseResolveRule(text)
    expect(Result.isFailure(result) ? result.failure : "accepted").toContain(clause)
  })

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseResolveRule(text)
      })
    )
  })
})

describe("ruleFor", () => {
  const rules = [
    rule("*:443:127.0.0.1:1"),
    rule("docs.example.com:443:127.0.0.1:2"),
    rule("docs.example.com:443:127.0.0.1:3")
  ]

  it("prefers the first rule that names the host", () =>
    expect(ruleFor(rules, "DOCS.example.com", 443)?.toPort).toBe(2))
  it("falls back to the rule for every name", () => expect(ruleFor(rules, "other.example.com", 443)?.toPort).toBe(1))
  it("keeps to the port", () => expect(ruleFor(rules, "docs.example.com", 80)).toBeNull())
  it.each(["127.0.0.1", "8.8.8.8", "[::1]", "2130706433", "0x7f.1"])("leads no IP address elsewhere: %s", (host) =>
    expect(ruleFor(rules, host, 443)).toBeNull()
  )
})
