import { expect, it } from "vitest"
import { digestOf, entityTagOf, isKnown, isMatched } from "../../../server/response/EncodedBody.ts"

it("a tag is known in every coding, also where the digest itself ends like one", () => {
  for (const digest of [digestOf("content"), "AAAAAAAAAAAAAAAAAAA-br", "AAAAAAAAAAAAAAAAA-gzip"]) {
    for (const coding of ["identity", "br", "gzip"] as const) {
      expect(isKnown(`W/"other", ${entityTagOf(digest, coding)}`, digest)).toBe(true)
      expect(isKnown(`W/${entityTagOf(digest, coding)}`, digest)).toBe(true)
      expect(isMatched(entityTagOf(digest, coding), digest)).toBe(true)
      expect(isMatched(`W/${entityTagOf(digest, coding)}`, digest)).toBe(false)
    }
    expect(isKnown(`"${digest}x", "${digest}-zstd"`, digest)).toBe(false)
  }
})
