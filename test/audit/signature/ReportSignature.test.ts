import * as Result from "effect/Result"
import { CompactSign, SignJWT } from "jose"
import { createSecretKey } from "node:crypto"
import { describe, expect, it } from "vitest"
import { issuerUrl } from "../../../engine/audit/signature/ReportClaims.ts"
import {
  isSignedWith,
  keyIdOf,
  namedKey,
  type PublishedKey,
  readSignature,
  reportDigest,
  signingKeyOf,
  signReport
} from "../../../engine/audit/signature/ReportSignature.ts"

/** The key of RFC 8037, appendix A. */
const RFC8037 = await signingKeyOf(Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url"))
const OTHER = await signingKeyOf(new Uint8Array(32))

const CLAIMS = {
  iss: "https://docgauge.example",
  run_id: "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
  base_url: "https://docs.example.com",
  started_at: "2026-11-21T10:14:03.512874Z",
  report_sha256: reportDigest({ total_score: 78 }) ?? ""
}

const SIGNED = await signReport(RFC8037, CLAIMS)

const read = (text: string) => {
  const signature = readSignature(text)
  if (Result.isFailure(signature)) throw new Error(signature.failure)
  return signature.success
}

const refusalOf = (text: string): string | null => {
  const signature = readSignature(text)
  return Result.isFailure(signature) ? signature.failure : null
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

const HEADER = { alg: "EdDSA", typ: "docgauge-report+jwt", kid: RFC8037.id }

/** The signed text with another header, without a valid signature. */
const withHeader = (header: object): string => [encoded(header), ...SIGNED.split(".").slice(1)].join(".")

describe("the key that signs reports", () => {
  it("is that of its seed, with the id and the public key of RFC 8037, appendix A", () => {
    expect(RFC8037.published).toEqual({
      kty: "OKP",
      crv: "Ed25519",
      x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      use: "sig",
      alg: "EdDSA",
      kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    })
  })
})

describe("the signature of a report", () => {
  it("is the same text for the same claims and key, and says what was signed", async () => {
    expect(await signReport(RFC8037, { ...CLAIMS })).toBe(SIGNED)
    expect(read(SIGNED)).toEqual({ text: SIGNED, keyId: RFC8037.id, claims: CLAIMS })
  })

  it("is verified by its key, and by no other", async () => {
    expect(await isSignedWith(read(SIGNED), RFC8037.published)).toBe(true)
    expect(await isSignedWith(read(SIGNED), OTHER.published)).toBe(false)
    expect(await isSignedWith(read(SIGNED), { kty: "OKP", crv: "Ed25519", x: "short" })).toBe(false)
  })

  it("is not valid with another character anywhere", async () => {
    for (let at = 0; at < SIGNED.length; at += 1) {
      const other = SIGNED[at] === "A" ? "B" : "A"
      const text = SIGNED.slice(0, at) + other + SIGNED.slice(at + 1)
      const signature = readSignature(text)
      const isValid = Result.isSuccess(signature) && (await isSignedWith(signature.success, RFC8037.published))
      expect([at, isValid]).toEqual([at, false])
    }
  })

  it.each([
    ["no signature at all", "hello", /not a JSON Web Signature/],
    ["two parts", SIGNED.split(".").slice(0, 2).join("."), /not a JSON Web Signature/],
    ["characters outside of base64url", `${SIGNED}=`, /not a JSON Web Signature/],
    ["a header that is no JSON", ["AAAA", ...SIGNED.split(".").slice(1)].join("."), /not a JSON Web Signature/],
    ["no algorithm", withHeader({ ...HEADER, alg: "none" }), /algorithm is not EdDSA/],
    ["a symmetric algorithm", withHeader({ ...HEADER, alg: "HS256" }), /algorithm is not EdDSA/],
    ["another type", withHeader({ ...HEADER, typ: "at+jwt" }), /not of type docgauge-report\+jwt/],
    ["no type", withHeader({ alg: "EdDSA", kid: RFC8037.id }), /not of type/],
    ["a demanded extension", withHeader({ ...HEADER, crit: ["b64"], b64: false }), /demands an extension/],
    ["no key", withHeader({ alg: "EdDSA", typ: HEADER.typ }), /names no key/],
    ["other claims", [encoded(HEADER), encoded({ sub: "me" }), SIGNED.split(".")[2]].join("."), /does not say what/],
    ["more than 8,192 characters", `${SIGNED}${"A".repeat(8_192)}`, /longer than 8192/]
  ])("is refused with %s", (_, text, clause) => {
    expect(refusalOf(text)).toMatch(clause)
  })

  it("is not one that the public key made as a secret", async () => {
    const secret = createSecretKey(Buffer.from(RFC8037.published.x, "base64url"))
    const forged = await new SignJWT({ ...CLAIMS })
      .setProtectedHeader({ alg: "HS256", typ: HEADER.typ, kid: RFC8037.id })
      .sign(secret)
    expect(refusalOf(forged)).toMatch(/algorithm is not EdDSA/)
  })

  it("ignores a key that it brings along", async () => {
    const brought = await new CompactSign(Buffer.from(JSON.stringify(CLAIMS)))
      .setProtectedHeader({ ...HEADER, jwk: OTHER.published })
      .sign(OTHER.secret)
    expect(await isSignedWith(read(brought), RFC8037.published)).toBe(false)
  })
})

describe("the key that a signature names", () => {
  it("is found by its thumbprint among keys of other kinds, whatever ids they have", async () => {
    const kid = RFC8037.id
    const keys = [
      { kty: "EC", crv: "P-256", x: "AA", y: "AA", kid },
      { ...OTHER.published, kid },
      { ...RFC8037.published, use: "enc" },
      "none",
      { kty: "OKP", crv: "Ed25519", x: "" },
      { kty: "OKP", crv: "Ed25519", x: RFC8037.published.x }
    ]
    expect(await namedKey(read(SIGNED), keys)).toEqual({ kty: "OKP", crv: "Ed25519", x: RFC8037.published.x })
  })

  it("is not there if only another key has its id", async () => {
    expect(await namedKey(read(SIGNED), [{ ...OTHER.published, kid: RFC8037.id }])).toBeNull()
    expect(await namedKey(read(SIGNED), [])).toBeNull()
  })

  it("has one id for one key", async () => {
    const bare: PublishedKey = { kty: "OKP", crv: "Ed25519", x: RFC8037.published.x }
    expect(await keyIdOf(bare)).toBe(await keyIdOf({ ...bare, use: "sig", kid: "x" }))
  })
})

describe("the URL of a service", () => {
  it.each([
    ["https://docgauge.example", "https://docgauge.example"],
    ["https://DocGauge.example/", "https://docgauge.example"],
    ["https://example.com/docgauge/", "https://example.com/docgauge"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["https://docgäuge.example", "https://xn--docguge-8wa.example"],
    ["https://user@docgauge.example", null],
    ["https://:pass@docgauge.example", null],
    ["https://docgauge.example/?x", null],
    ["https://docgauge.example/#x", null],
    ["ftp://docgauge.example", null],
    ["docgauge.example", null]
  ])("of %s is %s", (text, url) => {
    expect(issuerUrl(text)).toBe(url)
  })

  it("has no empty query or fragment", () => {
    expect([issuerUrl("https://a.example/x?"), issuerUrl("https://a.example/x#")]).toEqual([
      "https://a.example/x",
      "https://a.example/x"
    ])
  })
})
