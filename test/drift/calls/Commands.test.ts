import { describe, expect, it } from "vitest"
import { callsIn } from "../../../engine/drift/calls/CallsIn.ts"
import { toldIn } from "./Told.ts"

const A = "https://api.acme.dev/orders"

describe("a command of HTTPie or xh", () => {
  it("sends fields as JSON, with their types", () => {
    expect(toldIn("shell", `http POST ${A} amount:=5 note=hi tags:='["a"]' X-Key:k limit==3`)).toEqual([
      `httpie POST ${A} | query {limit: "3"} | headers {X-Key: "k"} | json {amount: 5, note: "hi", tags: ["a"]}`
    ])
  })

  it("is a GET without fields and a POST with them", () => {
    expect(toldIn("shell", `xh ${A}\nhttp ${A} a=b\nhttps api.acme.dev/orders`)).toEqual([
      `httpie GET ${A}`,
      `httpie POST ${A} | json {a: "b"}`,
      "httpie GET http://api.acme.dev/orders"
    ])
  })

  it("sends a form, and files that are open", () => {
    expect(toldIn("shell", `http -f POST ${A} a=b file@x.png`)).toEqual([`httpie POST ${A} | form {a: "b", …}`])
  })

  it("has a body that is not shown where something is piped into it", () => {
    expect(toldIn("shell", `cat order.json | http POST ${A}\nhttp PUT ${A} < order.json`)).toEqual([
      `httpie POST ${A} | body ?`,
      `httpie PUT ${A} | body ?`
    ])
  })

  it("leaves fields open that are nested or not understood", () => {
    expect(toldIn("shell", `http POST ${A} a[b]=1 $MORE`)).toEqual([`httpie POST ${A} | json {…}`])
  })

  it("may name a port of this machine alone", () => {
    expect(toldIn("shell", "http :5000/orders")).toEqual(["httpie GET http://localhost:5000/orders"])
  })
})

describe("a command of wget", () => {
  it("sends what its options say", () => {
    expect(
      toldIn(
        "shell",
        `wget --method=PUT --header 'X-A: b' --body-data='{"a": 1}' -O - ${A}\nwget --post-data "a=1" ${A}\nwget ${A}`
      )
    ).toEqual([`wget PUT ${A} | headers {X-A: "b"} | json {a: 1}`, `wget POST ${A} | form {a: "1"}`, `wget GET ${A}`])
  })

  it("leaves the body open where it is in a file", () => {
    expect(toldIn("shell", `wget --post-file=a.json ${A}`)).toEqual([`wget POST ${A} | body ?`])
  })
})

describe("a raw request", () => {
  it("has the address of its host, headers and a body", () => {
    expect(
      toldIn(
        "http",
        'POST /orders?dry=1 HTTP/1.1\r\nHost: api.acme.dev\r\nX-A: b\r\nContent-Type: application/json\r\n\r\n{"a": 1}'
      )
    ).toEqual([
      `http POST ${A} | query {dry: "1"} | headers {X-A: "b", Content-Type: "application/json"} | json {a: 1}`
    ])
  })

  it("ends where another or an answer begins", () => {
    expect(
      toldIn(
        null,
        `POST ${A} HTTP/1.1\nX-A: b\n\na=1\n\nHTTP/1.1 201 Created\nContent-Type: application/json\n\n{"id": 1}\n\n###\nGET ${A}/1 HTTP/1.1`
      )
    ).toEqual([`http POST ${A} | headers {X-A: "b"} | form {a: "1"}`, `http GET ${A}/1`])
  })

  it("goes on with its query in the next lines", () => {
    expect(toldIn("http", `GET ${A}\n  ?limit=5\n  &from=2\nX-A: b`)).toEqual([
      `http GET ${A} | query {limit: "5", from: "2"} | headers {X-A: "b"}`
    ])
  })

  it("has the host that its file gives a name", () => {
    expect(toldIn("http", "@host = https://api.acme.dev\n\nGET {{host}}/orders\n\nGET {{other}}/orders")).toEqual([
      `line GET ${A}`,
      "line GET {{other}}/orders"
    ])
  })
})

describe("a request line", () => {
  it("is a call for each line, with what is said of it left out", () => {
    expect(
      toldIn(null, "GET /orders?limit=5\nPOST   /orders # create\nDELETE /orders/:id - removes\nGET/orders/{id}")
    ).toEqual([
      'line GET /orders | query {limit: "5"}',
      "line POST /orders",
      "line DELETE /orders/:id",
      "line GET /orders/{id}"
    ])
  })

  it("has an open body where something follows it, which may be its answer", () => {
    expect(toldIn(null, 'POST /orders\n\n{"amount": 5}')).toEqual(["line POST /orders | body ?"])
  })

  it("has an open query where that is not encoded", () => {
    expect(toldIn("text", 'POST /orders?batch=[{"a": 1}, {"b": 2}]')).toEqual(["line POST /orders | query {…}"])
  })

  it("is none in prose, without a path, or as part of an answer", () => {
    expect(
      toldIn(null, "GET the order\nPOST orders\nDELETE\nHTTP/1.1 200 OK\nAllow: GET, POST\nget /orders\nGET //x")
    ).toEqual([])
  })

  it("is said with its line", () => {
    expect(callsIn({ language: null, text: "\nGET /a\n\nGET /b" }).map(({ line }) => line)).toEqual([1, 3])
  })
})

describe("an address", () => {
  it("is left out where parts of it may be left out, chosen from or are not said", () => {
    expect(
      toldIn(
        null,
        "GET /orders/{id}[/items]\nGET /orders/(open|closed)\nGET /orders/*\nGET /orders/.../items\nGET /orders/{a|b}\nGET /orders;"
      )
    ).toEqual(["line GET /orders/{a|b}", "line GET /orders"])
  })

  it("has an open query where that may be left out, or is not encoded as it should be", () => {
    expect(toldIn(null, "GET /orders[?limit=5]\nGET /orders{?limit,from}\nGET /orders?limit=5&amp;from=2")).toEqual([
      "line GET /orders | query {…}",
      "line GET /orders | query {…}",
      'line GET /orders | query {limit: "5", …}'
    ])
  })
})

describe("a block", () => {
  it("gives at most 50 calls", () => {
    expect(callsIn({ language: null, text: "GET /orders\n".repeat(80) })).toHaveLength(50)
    expect(callsIn({ language: "javascript", text: 'fetch("/orders")\n'.repeat(80) })).toHaveLength(50)
  })

  it("of data has no calls", () => {
    expect(toldIn("json", `{"url": "${A}", "method": "GET"}`)).toEqual([])
    expect(toldIn("yaml", `paths:\n  /orders:\n    get:\n      summary: x`)).toEqual([])
    expect(toldIn(null, "")).toEqual([])
  })
})
