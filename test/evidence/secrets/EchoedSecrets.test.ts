import { brotliCompressSync } from "node:zlib"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cpuMs } from "../../harness/CpuTime.ts"
import { isRemovable, secretRemoval } from "../../../engine/evidence/EchoedSecrets.ts"

const TOKEN = "a1/\"b&2'<c>+é"
const bytes = (text: string): Uint8Array => Buffer.from(text, "utf8")
const bodyOf = (removal: ReturnType<typeof secretRemoval>, text: string, cut = false): string =>
  Buffer.from(removal.fromBody(bytes(text), cut)).toString("utf8")

/** The character as it is, and escaped for URLs, HTML and JSON. */
const escapesOf = (character: string): ReadonlyArray<string> => {
  const hex = character.charCodeAt(0).toString(16)
  const percent = bytes(character).reduce((text, byte) => `${text}%${byte.toString(16).padStart(2, "0")}`, "")
  const quoted = JSON.stringify(character).slice(1, -1)
  return [
    character,
    percent,
    percent.toUpperCase(),
    `&#${character.charCodeAt(0)};`,
    `&#00${character.charCodeAt(0)};`,
    `&#x${hex};`,
    `&#X00${hex.toUpperCase()};`,
    `\\u${hex.padStart(4, "0")}`,
    `\\u${hex.toUpperCase().padStart(4, "0")}`,
    quoted,
    ...(character === "/" ? ["\\/"] : []),
    ...({
      "&": ["&amp;"],
      "<": ["&lt;"],
      ">": ["&gt;"],
      "'": ["&apos;", "&#039;"],
      '"': ["&quot;"],
      "+": ["&plus;"],
      "=": ["&equals;"],
      " ": ["+"]
    }[character] ?? [])
  ]
}

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
    expect(
      removal.fromHeaders([
        ["x-echo", `<${form}>`],
        ["x-other", "kept"]
      ])
    ).toEqual([
      ["x-echo", "<REDACTED>"],
      ["x-other", "kept"]
    ])
    expect(bodyOf(removal, `one ${form} two ${form}`)).toBe("one REDACTED two REDACTED")
  })

  it("finds one that was sent as Latin-1", () => {
    expect(Buffer.from(secretRemoval([TOKEN]).fromBody(Buffer.from(TOKEN, "latin1"), false)).toString("latin1")).toBe(
      "REDACTED"
    )
  })

  it("finds the beginning of one where a body was cut", () => {
    const removal = secretRemoval(["Bearer 0123456789"])
    expect(bodyOf(removal, "you sent Bearer 01234", true)).toBe("you sent REDACTED")
    expect(bodyOf(removal, "you sent Bearer 01234", false)).toBe("you sent Bearer 01234")
  })

  it.each([
    "&#97;&#0049;&sol;&#34;&#x62;&#X26;&#050;&#039;&lt;&#x3C;".replace("&#x3C;", "c&gt;&#43;&#xE9;"),
    "a1\\u002f\\u0022b\\u0026\\u0032\\u0027\\u003cc\\u003E\\u002B\\u00e9",
    'a1\\/\\"b\\x262&apos;%3cc%3E%2b%C3%a9',
    "%61%31%2F%22%62%26%32%27%3C%63%3E%2B%E9"
  ])("finds one whose characters are each escaped in another way, as in %s", (form) => {
    expect(bodyOf(secretRemoval([TOKEN]), `one ${form} two`)).toBe("one REDACTED two")
  })

  it.each([
    ["utf16le", (text: string) => Buffer.from(text, "utf16le")],
    ["utf16be", (text: string) => Buffer.from(text, "utf16le").swap16()]
  ] as const)("finds one in a body of %s", (_, encoded) => {
    const removal = secretRemoval([TOKEN])
    for (const form of [TOKEN, "a1&#x2F;&#034;b&amp;2'&lt;c%3e\\u002b\\u00E9"]) {
      expect(removal.fromBody(encoded(`\ufeffone ${form} two`), false)).toEqual(encoded("\ufeffone REDACTED two"))
      expect(removal.fromBody(encoded(form), false)).toEqual(encoded("REDACTED"))
    }
  })

  it("finds any secret in any mix of the forms of its characters, and leaves bodies without it as they are", () => {
    const character = fc.constantFrom(...Array.from("aZ09/+=\\&%;#\"'<>.- ux\u00e9\u03a9"))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(character, fc.nat()), { minLength: 8, maxLength: 24 }),
        fc.boolean(),
        (characters, cut) => {
          const secret = characters.map(([plain]) => plain).join("")
          fc.pre(isRemovable(secret))
          const removal = secretRemoval([secret])
          const form = characters.map(([plain, choice]) => escapesOf(plain)[choice % escapesOf(plain).length]).join("")
          expect(bodyOf(removal, `|${form}|`, cut)).toBe("|REDACTED|")
          const without = bytes(`|${form.slice(0, -1)}`)
          if (!cut && characters.every(([plain]) => !/[ux;\\&%\d]/.test(plain)))
            expect(removal.fromBody(without, false)).toBe(without)
        }
      ),
      { numRuns: 200 }
    )
  })

  it("takes no more than linear time, whatever secret and body repeat", () => {
    const removal = secretRemoval([
      `${"\\".repeat(40)}x`,
      `${"&#0".repeat(12)}x`,
      `${"a".repeat(40)}b`,
      "%25".repeat(12)
    ])
    const time = (body: Uint8Array): number => {
      const from = cpuMs()
      expect(removal.fromBody(body, true).length).toBeGreaterThan(0)
      return cpuMs() - from
    }
    for (const piece of ["\\", "&#0", "&#0000", "a", "%252"])
      expect(time(bytes(piece.repeat(3_000)))).toBeLessThan(5_000)
  })

  it.each([
    "https://docs.example.com/guide",
    "docs.example.com",
    "docs.example.com:8443",
    "openapi.json",
    "localhost:8080",
    "/guides/getting-started",
    "%2Fguides%2Fintroduction",
    "192.168.100.12"
  ])("leaves %s, which links have", (place) => {
    expect(bodyOf(secretRemoval([place]), `see ${place}`)).toBe(`see ${place}`)
  })

  it.each([
    "/9j4AAQSkZJRgABAQ",
    "MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
  ])("finds a token that resembles a path or a host name, as %s does", (token) => {
    expect(bodyOf(secretRemoval([token]), `see ${token}`)).toBe("see REDACTED")
  })

  it("leaves words and short values, which ordinary text has", () => {
    expect(
      bodyOf(
        secretRemoval(["preview", "docs", "production", "a1b2c3"]),
        "The docs of the preview of production: a1b2c3."
      )
    ).toBe("The docs of the preview of production: a1b2c3.")
  })

  it("leaves every other byte as it is", () => {
    const removal = secretRemoval(["s3cret-t0ken"])
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        expect(removal.fromBody(body, false)).toEqual(body)
      })
    )
    const compressed = brotliCompressSync("text")
    expect(removal.fromBody(compressed, true)).toBe(compressed)
  })
})
