import { brotliCompressSync } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { secretRemoval } from "../../engine/evidence/EchoedSecrets.ts"

const TOKEN = "a1/\"b&2'<c>+é"
const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8")
const bodyOf = (removal: ReturnType<typeof secretRemoval>, text: string, cut = false): string => Buffer.from(removal.fromBody(bytes(text), cut)).toString("utf8")

describe("the removal of secrets", () => {
  it.each([
    ["as it is", TOKEN],
    ["in a URL", encodeURIComponent(TOKEN)],
    ["in a URL, in lower case", encodeURIComponent(TOKEN).replaceAll(/%../g, (code) => code.toLowerCase())],
    ["in Base64", Buffer.from(TOKEN).toString("base64")],
    ["in Base64 for URLs", Buffer.from(TOKEN).toString("base64url")],
    ["in JSON", JSON.stringify(TOKEN).slice(1, -1)],
    ["in HTML", "a1/\"b&amp;2'&lt;c&gt;+é"],
    ["in an attribute", "a1/&quot;b&amp;2&#39;&lt;c&gt;+é"]
  ])("finds one %s, in a header and in a body", (_, form) => {
    const removal = secretRemoval([TOKEN])
    expect(removal.fromHeaders([["x-echo", `<${form}>`], ["x-other", "kept"]])).toEqual([["x-echo", "<REDACTED>"], ["x-other", "kept"]])
    expect(bodyOf(removal, `one ${form} two ${form}`)).toBe("one REDACTED two REDACTED")
  })

  it("finds one that was sent as Latin-1", () => {
    expect(Buffer.from(secretRemoval([TOKEN]).fromBody(Buffer.from(TOKEN, "latin1"), false)).toString("latin1")).toBe("REDACTED")
  })

  it("finds the beginning of one where a body was cut", () => {
    const removal = secretRemoval(["Bearer 0123456789"])
    expect(bodyOf(removal, "you sent Bearer 01234", true)).toBe("you sent REDACTED")
    expect(bodyOf(removal, "you sent Bearer 01234", false)).toBe("you sent Bearer 01234")
  })

  it("leaves words and short values, which ordinary text has", () => {
    expect(bodyOf(secretRemoval(["preview", "docs", "production", "a1b2c3"]), "The docs of the preview of production: a1b2c3.")).toBe("The docs of the preview of production: a1b2c3.")
  })

  it("leaves every other byte as it is", () => {
    const removal = secretRemoval(["s3cret-t0ken"])
    fc.assert(fc.property(fc.uint8Array(), (body) => { expect(removal.fromBody(body, false)).toEqual(body) }))
    const compressed = brotliCompressSync("text")
    expect(removal.fromBody(compressed, true)).toBe(compressed)
  })
})
