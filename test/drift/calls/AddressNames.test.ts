import { describe, expect, it } from "vitest"
import { addressNames, callsIn } from "../../../engine/drift/calls/CallsIn.ts"

const named = (...texts: ReadonlyArray<string>) => Object.fromEntries(addressNames(texts.map((text) => ({ text }))))

describe("the names that a page's code gives addresses", () => {
  it("are those of shells and languages", () => {
    expect(
      named(
        "export API='https://api.acme.dev/1'\nKEY=abc",
        "const BASE: string = \"https://api.acme.dev/2\";\n$root = 'https://api.acme.dev/3';",
        '@host = https://api.acme.dev/4\nurl := "https://api.acme.dev/5"'
      )
    ).toEqual({
      API: "https://api.acme.dev/1",
      BASE: "https://api.acme.dev/2",
      root: "https://api.acme.dev/3",
      host: "https://api.acme.dev/4",
      url: "https://api.acme.dev/5"
    })
  })

  it("are none with two addresses, with a variable in the address, or where more is added", () => {
    expect(
      named('A="https://one.dev"', 'A="https://two.dev"', "B=https://${X}.dev", 'C = "https://one.dev" + path')
    ).toEqual({})
  })

  it("stand for their addresses in calls of other blocks", () => {
    const known = addressNames([{ text: "export API = 'https://api.acme.dev'" }])
    const address = (language: string, text: string) => callsIn({ language, text }, known)[0]?.address
    expect(address("shell", "curl $API/orders/$ID")).toBe("https://api.acme.dev/orders/$ID")
    expect(address("python", 'requests.get(API + "/orders")')).toBe("https://api.acme.dev/orders")
    expect(address("javascript", "const API = '/v1'\nfetch(API + '/orders')")).toBe("/v1/orders")
  })
})
