import { describe, expect, it } from "vitest"
import { callsIn } from "../../../engine/drift/calls/CallsIn.ts"
import { toldIn } from "./Told.ts"

const A = "https://api.acme.dev/orders"
const told = (text: string) => toldIn("javascript", text)

describe("fetch", () => {
  it("is a GET without options", () => {
    expect(told(`fetch("${A}?limit=5")\n  .then((r) => r.json())`)).toEqual([`fetch GET ${A} | query {limit: "5"}`])
  })

  it("has its method, headers and JSON", () => {
    expect(
      told(
        `const r = await fetch('${A}', {\n  method: 'post',\n  headers: { "X-A": 'b', Authorization: \`Bearer \${key}\` },\n  body: JSON.stringify({ amount: -5, note: "hi", isTrue: true, list: [1, null], }),\n})`
      )
    ).toEqual([
      `fetch POST ${A} | headers {X-A: "b", Authorization: ?} | json {amount: -5, note: "hi", isTrue: true, list: [1, null]}`
    ])
  })

  it("has names in its address as placeholders, and values of constants", () => {
    expect(
      told('const BASE = "https://api.acme.dev"\nfetch(`${BASE}/orders/${order.id}/${encodeURIComponent(name)}`)')
    ).toEqual(["fetch GET https://api.acme.dev/orders/{id}/{name}"])
    expect(told('fetch(BASE_URL + "/orders/" + id)')).toEqual(["fetch GET {BASE_URL}/orders/{id}"])
  })

  it("leaves open what is spread, left out or named", () => {
    expect(told(`fetch("${A}", { method: "POST", body: JSON.stringify({ amount, ...more }) })`)).toEqual([
      `fetch POST ${A} | json {amount: ?, …}`
    ])
    expect(
      told(`fetch("${A}", { method: "POST", headers: { "X-A": "b", ... }, body: JSON.stringify({ a: 1, // ...\n }) })`)
    ).toEqual([`fetch POST ${A} | headers {X-A: "b", …} | json {a: 1, …}`])
    expect(told(`fetch("${A}", { method: "POST", body: data, headers })`)).toEqual([
      `fetch POST ${A} | headers {…} | body ?`
    ])
  })

  it("is left out where its method or address is not known", () => {
    expect(
      told(
        `fetch(url)\nfetch("${A}", options)\nfetch("${A}", { ...options })\nfetch("${A}", { method })\nfetch(a ? "/x" : "/y")`
      )
    ).toEqual([])
  })

  it("has the query of URLSearchParams and of a URL", () => {
    expect(
      told(`const p = new URLSearchParams({ limit: 5 })\np.append("from", from)\nfetch("${A}?" + p.toString())`)
    ).toEqual([`fetch GET ${A} | query {limit: "5", from: ?}`])
    expect(
      told(`const url = new URL("/orders", "https://api.acme.dev")\nurl.searchParams.set("limit", "5")\nfetch(url)`)
    ).toEqual([`fetch GET ${A} | query {limit: "5"}`])
  })

  it("sends a form", () => {
    expect(told(`fetch("${A}", { method: "POST", body: new URLSearchParams({ a: "b" }) })`)).toEqual([
      `fetch POST ${A} | form {a: "b"}`
    ])
    expect(
      told(
        `const form = new FormData()\nform.append("file", input.files[0])\nfetch("${A}", { method: "POST", body: form })`
      )
    ).toEqual([`fetch POST ${A} | form {file: ?}`])
  })

  it("is found within functions, classes and arguments, whose parameters hide other names", () => {
    expect(
      told(
        `const id = "o_1"\nclass Orders {\n  async read(id: string): Promise<Order> {\n    if (id) { return fetch(\`${A}/\${id}\`) }\n  }\n}\nuseEffect(() => { fetch("/a").then((x) => { fetch("/b") }) }, [id])`
      )
    ).toEqual([`fetch GET ${A}/o_1`, "fetch GET /a", "fetch GET /b"])
    expect(
      told(
        `const id = "o_1"\nfunction read(id) { return fetch(\`${A}/\${id}\`) }\nconst list = (id) => fetch(\`${A}/\${id}/items\`)`
      )
    ).toEqual([`fetch GET ${A}/{id}`, `fetch GET ${A}/{id}/items`])
  })

  it("is none in a comment or a text", () => {
    expect(
      told(`// fetch("${A}")\n/* fetch("${A}") */\nconst code = 'fetch("${A}")'\nconst other = \`\n fetch("${A}")\``)
    ).toEqual([])
  })

  it("begins in the line of its name", () => {
    expect(callsIn({ language: "javascript", text: `\nconst a = 1\n\nawait fetch(\n  "${A}")` })[0]?.line).toBe(3)
  })
})

describe("axios", () => {
  it("has a query, headers and data, by method", () => {
    expect(
      told(
        `axios.get("${A}", { params: { limit: 5, from }, headers: { "X-A": "b" } })\naxios.post("${A}", { amount: 5 }, { headers: { "X-A": "b" } })\naxios.delete("${A}/" + id)`
      )
    ).toEqual([
      `axios GET ${A} | query {limit: "5", from: ?} | headers {X-A: "b"}`,
      `axios POST ${A} | headers {X-A: "b"} | json {amount: 5}`,
      `axios DELETE ${A}/{id}`
    ])
  })

  it("takes all of it as options", () => {
    expect(
      told(
        `const config = { method: "put", url: "${A}", data: { a: [1] }, headers: {} }\naxios(config)\naxios.request({ url: "${A}" })`
      )
    ).toEqual([`axios PUT ${A} | json {a: [1]}`, `axios GET ${A}`])
  })

  it("has instances with an address and headers of their own", () => {
    expect(
      toldIn(
        "typescript",
        `const api: AxiosInstance = axios.create({ baseURL: "https://api.acme.dev/", headers: { "X-A": "b" } })\nconst { data } = await api.post<Order>("/orders", { a: 1 } as Body)`
      )
    ).toEqual([`axios POST ${A} | headers {X-A: "b"} | json {a: 1}`])
  })

  it("is left open where its options are not known", () => {
    expect(told(`axios.get("${A}", options)`)).toEqual([`axios GET ${A} | query {…} | headers {…} | body ?`])
    expect(told("axios(options)")).toEqual([])
  })

  it("has open headers below the address that all calls have, which is set elsewhere", () => {
    expect(told('axios.post("/orders", { a: 1 })')).toEqual(["axios POST /orders | headers {…} | json {a: 1}"])
  })

  it("is no other library's method", () => {
    expect(
      told('import axios from "axios"\napp.get("/orders", handler)\nrouter.post("/x", {})\nmap.get("/y")')
    ).toEqual([])
  })
})
