import { describe, expect, it } from "vitest"
import { toldIn } from "./Told.ts"

const A = "https://api.acme.dev/orders"
const told = (text: string) => toldIn("python", text)

describe("requests", () => {
  it("has a query, headers and a body by keyword", () => {
    expect(
      told(
        `import requests\nr = requests.get("${A}", params={"limit": 5, "open": True}, headers={"X-A": "b", "Authorization": "Bearer " + key}, timeout=5)\nprint(r.json())`
      )
    ).toEqual([`requests GET ${A} | query {limit: "5", open: "true"} | headers {X-A: "b", Authorization: ?}`])
    expect(told(`requests.post("${A}", json={"amount": 5, "note": None, "tags": ["a", 'b']})`)).toEqual([
      `requests POST ${A} | json {amount: 5, note: null, tags: ["a", "b"]}`
    ])
    expect(told(`requests.put('${A}', data={'a': 'b'}, auth=(user, password))`)).toEqual([
      `requests PUT ${A} | headers {Authorization: ?} | form {a: "b"}`
    ])
    expect(told(`requests.patch("${A}", data=json.dumps({"a": 1}))`)).toEqual([`requests PATCH ${A} | json {a: 1}`])
    expect(told(`requests.post("${A}", files={"file": open("a.png", "rb")}, data={"a": "b"})`)).toEqual([
      `requests POST ${A} | form {a: "b", …}`
    ])
  })

  it("follows names that were given values before", () => {
    expect(
      told(
        `import requests as rq\n\nROOT = 'https://api.acme.dev'\nKEY = { 'X-API-Key': 'test' }\n\naddress = ROOT + '/orders'\nbody = {\n    "amount": 5,\n    "note": "a" "b",  # joined\n}\nbody["more"] = 1\nanswer = rq.post(address, headers=KEY, json=body)`
      )
    ).toEqual([`requests POST ${A} | headers {X-API-Key: "test"} | json {amount: 5, note: "ab", more: 1}`])
  })

  it("has values put into a text by %", () => {
    expect(
      told(
        `API = "https://api.acme.dev"\nrequests.post("%s/orders" % API, json={"a": 1})\nrequests.get("%s/orders/%d?a=%s" % (API, number, 5), timeout=5)`
      )
    ).toEqual([`requests POST ${A} | json {a: 1}`, `requests GET ${A}/{number} | query {a: "5"}`])
  })

  it("has names in its address as placeholders", () => {
    expect(
      told(
        `BASE: str = "https://api.acme.dev"\ndef read(id: str, n: int = 1):\n    """Reads one."""\n    requests.get(f"{BASE}/orders/{id}")\n    requests.get("{}/orders/{}".format(BASE, id))\n    requests.get("https://api.acme.dev/orders/%s" % id)\n    requests.get(BASE + "/orders/" + str(id))\n    requests.get(f"{BASE_URL}/orders/{order['id']}")`
      )
    ).toEqual([
      `requests GET ${A}/{id}`,
      `requests GET ${A}/{id}`,
      `requests GET ${A}/{id}`,
      `requests GET ${A}/{id}`,
      "requests GET {BASE_URL}/orders/{id}"
    ])
  })

  it("leaves open what is spread, left out or worked out", () => {
    expect(told(`requests.post("${A}", json={"a": 1, **more}, params=params, headers=headers)`)).toEqual([
      `requests POST ${A} | query {…} | headers {…} | json {a: 1, …}`
    ])
    expect(told(`requests.post("${A}", json={"a": 1, ...})\nrequests.post("${A}", json={"a": 1,\n  # ...\n})`)).toEqual(
      [`requests POST ${A} | json {a: 1, …}`, `requests POST ${A} | json {a: 1, …}`]
    )
    expect(told(`requests.get("${A}", **options)`)).toEqual([`requests GET ${A} | query {…} | headers {…} | body ?`])
    expect(told(`requests.post("${A}", json=[{"a": x} for x in xs])`)).toEqual([`requests POST ${A} | json [?, …]`])
  })

  it("forgets a name that a loop or function gives another value", () => {
    expect(told(`id = "o_1"\nfor id in ids:\n    requests.get(f"${A}/{id}")`)).toEqual([`requests GET ${A}/{id}`])
    expect(told(`url = "${A}"\ndef f(url):\n    requests.get(url)`)).toEqual([])
  })

  it("has sessions with headers of their own", () => {
    expect(
      told(
        `session = requests.Session()\nsession.headers.update({"X-A": "b"})\nsession.headers["X-C"] = "d"\nsession.get("${A}")`
      )
    ).toEqual([`requests GET ${A} | headers {X-A: "b", X-C: "d"}`])
    expect(told(`with requests.Session() as s:\n    s.post("${A}", json={})`)).toEqual([`requests POST ${A} | json {}`])
  })

  it("is none in comments, texts and prompts of others", () => {
    expect(
      told(`# requests.get("${A}")\n"""\nrequests.get("${A}")\n"""\nclient.get("${A}")\nrequests.codes.ok`)
    ).toEqual([])
    expect(told(`>>> import requests\n>>> requests.get("${A}")`)).toEqual([`requests GET ${A}`])
  })
})

describe("httpx", () => {
  it("has clients with an address of their own", () => {
    expect(
      told(
        `async with httpx.AsyncClient(base_url="https://api.acme.dev", headers={"X-A": "b"}) as client:\n    r = await client.post("/orders", json={"a": 1})\nhttpx.request("DELETE", "${A}/1")`
      )
    ).toEqual([`httpx POST ${A} | headers {X-A: "b"} | json {a: 1}`, `httpx DELETE ${A}/1`])
  })

  it("is found in a block without a tag", () => {
    expect(toldIn(null, `import httpx\nhttpx.get("${A}")`)).toEqual([`httpx GET ${A}`])
  })
})
