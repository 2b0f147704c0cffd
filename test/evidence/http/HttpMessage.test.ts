import { expect, it } from "vitest"
import { parseHttpMessage } from "../../../engine/evidence/http/HttpMessage.ts"

it("unfolds the headers of an archived message, as those of one that is received", () => {
  const message = parseHttpMessage(
    Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: text/html;\r\n charset=euc-kr\r\nX: a\r\n\tb\r\n\r\nbody")
  )
  expect(message?.headers).toEqual([
    ["content-type", "text/html;  charset=euc-kr"],
    ["x", "a \tb"]
  ])
})
