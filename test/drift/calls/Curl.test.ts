import { describe, expect, it } from "vitest"
import { callsIn } from "../../../engine/drift/calls/CallsIn.ts"
import { toldIn } from "./Told.ts"

const A = "https://api.acme.dev/v1/orders"
const told = (text: string) => toldIn("shell", text)

describe("a curl command", () => {
  it("is a GET without options, with the query of its address", () => {
    expect(told(`curl "${A}?limit=5&from=a%20b+c#top"`)).toEqual([`curl GET ${A} | query {limit: "5", from: "a b c"}`])
  })

  it("sends JSON, headers and the method that it names", () => {
    expect(
      told(
        `curl -X PUT ${A} \\\n  -H "Authorization: Bearer $KEY" \\\n  --header='X-Note: hi' \\\n  -d '{"amount": 5, "tags": ["a", null]}'`
      )
    ).toEqual([`curl PUT ${A} | headers {Authorization: ?, X-Note: "hi"} | json {amount: 5, tags: ["a", null]}`])
  })

  it("is a POST where it has data, and joins several", () => {
    expect(told(`curl ${A} -d amount=5 --data currency=EUR`)).toEqual([
      `curl POST ${A} | form {amount: "5", currency: "EUR"}`
    ])
    expect(told(`curl --json '{"a":1}' ${A}`)).toEqual([
      `curl POST ${A} | headers {Content-Type: "application/json"} | json {a: 1}`
    ])
  })

  it("may have a word in capitals in place of its server", () => {
    expect(told(`curl -X POST 'ACME_URL/orders/ORDER_ID' -d '{"a":1}' -H 'Content-Type: application/json'`)).toEqual([
      `curl POST ACME_URL/orders/ORDER_ID | headers {Content-Type: "application/json"} | json {a: 1}`
    ])
    expect(told("curl README/orders")).toEqual([])
  })

  it("puts its data into the query with -G", () => {
    expect(told(`curl -sG ${A} --data-urlencode "order=o 1&2" -d limit=3`)).toEqual([
      `curl GET ${A} | query {order: "o 1&2", limit: "3"}`
    ])
  })

  it("sends a form in parts, whose files are open", () => {
    expect(told(`curl -F file=@a.png -F "note=hi;type=text/plain" ${A}`)).toEqual([
      `curl POST ${A} | form {file: ?, note: "hi"}`
    ])
  })

  it("leaves the body open where it is in a file", () => {
    expect(told(`curl -d @order.json ${A}`)).toEqual([`curl POST ${A} | body ?`])
    expect(told(`curl -T order.json ${A}`)).toEqual([`curl PUT ${A} | body ?`])
  })

  it("reads its data from a here-document", () => {
    expect(told(`curl ${A} -d @- <<'EOF'\n{"a": 1}\nEOF\ncurl ${A}/2`)).toEqual([
      `curl POST ${A} | json {a: 1}`,
      `curl GET ${A}/2`
    ])
  })

  it("takes options that are written together, and those with a user as credentials", () => {
    expect(told(`curl -sSLXDELETE -u key: ${A}/1`)).toEqual([`curl DELETE ${A}/1 | headers {Authorization: ?}`])
    expect(told(`curl -sI ${A}`)).toEqual([`curl HEAD ${A}`])
  })

  it("takes its address from --url, and adds a scheme to a host", () => {
    expect(told(`curl --request POST --url ${A}`)).toEqual([`curl POST ${A}`])
    expect(told("curl localhost:8080/orders")).toEqual(["curl GET http://localhost:8080/orders"])
  })

  it.each([
    ["a backslash", "\\"],
    ["a caret", "^"],
    ["a backtick", "`"]
  ])("goes on in the next line after %s", (_, mark) =>
    expect(told(`curl ${A} ${mark}\n  -H "X-A: b" ${mark}\n  -d a=1`)).toEqual([
      `curl POST ${A} | headers {X-A: "b"} | form {a: "1"}`
    ])
  )

  it("goes on in a line that begins with an option", () => {
    expect(told(`curl ${A}\n  -H 'X-A: b'\ncurl ${A}/2`)).toEqual([
      `curl GET ${A} | headers {X-A: "b"}`,
      `curl GET ${A}/2`
    ])
  })

  it.each(["$ ", "% ", "> ", "❯ ", "me@host:~$ ", "PS C:\\x> ", "C:\\x>"])("may have the prompt %s", (prompt) =>
    expect(told(`${prompt}curl ${A}`)).toEqual([`curl GET ${A}`])
  )

  it("has quotes of each kind", () => {
    expect(told(`curl ${A} -d '{"note": "it'\\''s"}'`)).toEqual([`curl POST ${A} | json {note: "it's"}`])
    expect(told(`curl ${A} -d "{\\"note\\": \\"a\\"}"`)).toEqual([`curl POST ${A} | json {note: "a"}`])
    expect(told(`curl ${A} -d $'{"note": "it\\'s"}'`)).toEqual([`curl POST ${A} | json {note: "it's"}`])
  })

  it("leaves what a shell puts in and what readers replace open", () => {
    expect(
      told(
        `curl "${A}/$ID?user=$USER_ID" -d '{"a": "'$X'", "b": <amount>, "c": "...", "d": "YOUR_KEY", "e": {{n}}, "f": 1}'`
      )
    ).toEqual([`curl POST ${A}/$ID | query {user: ?} | json {a: ?, b: ?, c: ?, d: ?, e: ?, f: 1}`])
  })

  it("reads JSON with comments, a comma too many and something left out", () => {
    expect(told(`curl ${A} -d '{\n  "a": 1, // the first\n  "b": [1, 2,],\n}'`)).toEqual([
      `curl POST ${A} | json {a: 1, b: [1, 2]}`
    ])
    expect(told(`curl ${A} -d '{"a": 1, ...}'`)).toEqual([`curl POST ${A} | json {a: 1, …}`])
    expect(told(`curl ${A} -d '{"a": 1,\n // ...\n}'`)).toEqual([`curl POST ${A} | json {a: 1, …}`])
    expect(told(`curl ${A} -d '{"a": 1} and more'`)).toEqual([`curl POST ${A} | body ?`])
  })

  it("knows a variable that the block has set", () => {
    expect(told(`export API="https://api.acme.dev"\ncurl $API/orders/\${ID}`)).toEqual([
      "curl GET https://api.acme.dev/orders/${ID}"
    ])
  })

  it("is found within other commands", () => {
    expect(told(`TOKEN=$(curl -s ${A}/token | jq -r .token)\nsudo curl ${A} | jq . && curl ${A}/2 > out.json`)).toEqual(
      [`curl GET ${A}/token`, `curl GET ${A}`, `curl GET ${A}/2`]
    )
  })

  it("is none in a comment, in prose, or with an address or method that is not known", () => {
    expect(
      told(`# curl ${A}\necho "curl ${A}"\nUse curl to call it\ncurl $URL\ncurl -X $METHOD ${A}\ncurl --help`)
    ).toEqual([])
  })

  it("is left out where a quote has no end, and the next one is found", () => {
    expect(told(`curl ${A} -d '{"a": 1}\ncurl "${A}/2"`)).toEqual([`curl GET ${A}/2`])
  })

  it("leaves all open where a word is not understood", () => {
    expect(told(`curl ${A} $OPTIONS -X POST`)).toEqual([`curl POST ${A} | query {…} | headers {…} | body ?`])
  })

  it("begins in the line of its name", () => {
    const calls = callsIn({ language: "shell", text: `# first\ncurl ${A} \\\n  -d a=1\n\n$ curl \\\n  ${A}` })
    expect(calls.map(({ line }) => line)).toEqual([1, 4])
  })

  it("is found in a block without a tag, and in one with a wrong tag", () => {
    expect(toldIn(null, `curl ${A}`)).toEqual([`curl GET ${A}`])
    expect(toldIn("json", `curl ${A}`)).toEqual([`curl GET ${A}`])
    expect(toldIn("javascript", `curl ${A}`)).toEqual([`curl GET ${A}`])
  })
})
