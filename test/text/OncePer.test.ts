import { expect, it } from "vitest"
import { oncePer } from "../../engine/text/OncePer.ts"

it("computes a value once for each object, also where it is undefined", () => {
  const asked: Array<string> = []
  const nameOf = oncePer((key: { readonly name: string }): string | undefined => {
    asked.push(key.name)
    return key.name === "" ? undefined : key.name
  })
  const [one, same, none] = [{ name: "one" }, { name: "one" }, { name: "" }]
  expect([one, same, none, one, none].map((key) => nameOf(key))).toEqual(["one", "one", undefined, "one", undefined])
  expect(asked).toEqual(["one", "one", ""])
})
