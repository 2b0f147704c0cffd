import { describe, expect, it } from "vitest"
import { normalise } from "../../engine/evidence/Address.ts"

describe("a normalised URL", () => {
  it.each([
    ["https://docs.example.com/a#b", "https://docs.example.com/a"],
    ["https://docs.example.com/a#", "https://docs.example.com/a"],
    ["https://docs.example.com/a?", "https://docs.example.com/a"],
    ["https://docs.example.com/a?#", "https://docs.example.com/a"],
    ["https://docs.example.com/a?#?", "https://docs.example.com/a"],
    ["https://docs.example.com/a?b=%41#c", "https://docs.example.com/a?b=%41"],
    ["https://docs.example.com/%41%c3%a9%2f", "https://docs.example.com/A%C3%A9%2F"],
    ["HTTPS://Docs.Example.com.:443/b/../a/%2e%2E/c", "https://docs.example.com/c"]
  ])("of %s is %s", (written, normalised) => {
    expect(normalise(written)).toBe(normalised)
  })
})
