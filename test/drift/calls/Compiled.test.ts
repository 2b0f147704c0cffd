import { describe, expect, it } from "vitest"
import { toldIn } from "./Told.ts"

const A = "https://api.acme.dev/orders"

describe("the client of Go", () => {
  const told = (text: string) => toldIn("go", text)

  it("is given a method, an address and a body, and headers later", () => {
    expect(
      told(
        `func main() {\n\tbody := strings.NewReader(\`{"amount": 5}\`)\n\treq, err := http.NewRequest("POST", "${A}", body)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\treq.Header.Set("Authorization", "Bearer "+key)\n\treq.Header.Add("X-A", "b")\n\tres, err := http.DefaultClient.Do(req)\n}`
      )
    ).toEqual([`go POST ${A} | headers {Authorization: ?, X-A: "b"} | json {amount: 5}`])
    expect(told(`req, _ := http.NewRequestWithContext(ctx, http.MethodDelete, "${A}/1", nil)`)).toEqual([
      `go DELETE ${A}/1`
    ])
  })

  it("has short forms", () => {
    expect(
      told(
        `http.Get("${A}")\nhttp.Post("${A}", "application/json", bytes.NewBuffer([]byte(\`{"a": 1}\`)))\nhttp.PostForm("${A}", url.Values{"a": {"b"}, "c": {"d"}})`
      )
    ).toEqual([
      `go GET ${A}`,
      `go POST ${A} | headers {Content-Type: "application/json"} | json {a: 1}`,
      `go POST ${A} | form {a: "b", c: "d"}`
    ])
  })

  it("sends the JSON of maps, and leaves that of structures open, whose fields have names of their own", () => {
    expect(
      told(
        `data := map[string]interface{}{"amount": 5, "tags": []string{"a"}}\njsonData, err := json.Marshal(data)\nhttp.Post("${A}", "application/json", bytes.NewReader(jsonData))`
      )
    ).toEqual([`go POST ${A} | headers {Content-Type: "application/json"} | json {amount: 5, tags: ["a"]}`])
    expect(told(`b, _ := json.Marshal(Order{Amount: 5})\nhttp.NewRequest("POST", "${A}", bytes.NewReader(b))`)).toEqual(
      [`go POST ${A} | json {…}`]
    )
    expect(told(`b, _ := json.Marshal(order)\nhttp.NewRequest("POST", "${A}", bytes.NewReader(b))`)).toEqual([
      `go POST ${A} | body ?`
    ])
  })

  it("has queries of values, and placeholders of formats", () => {
    expect(
      told(
        `req, _ := http.NewRequest("GET", fmt.Sprintf("%s/orders/%s", baseURL, id), nil)\nq := req.URL.Query()\nq.Add("limit", "5")\nreq.URL.RawQuery = q.Encode()`
      )
    ).toEqual(['go GET {baseURL}/orders/{id} | query {limit: "5"}'])
    expect(told(`params := url.Values{}\nparams.Set("limit", "5")\nhttp.Get("${A}?" + params.Encode())`)).toEqual([
      `go GET ${A} | query {limit: "5"}`
    ])
  })

  it("is left out where its method or address is not known, and in comments", () => {
    expect(
      told(`http.NewRequest(method, "${A}", nil)\nhttp.Get(url)\n// http.Get("${A}")\nhttp.HandleFunc("/orders", f)`)
    ).toEqual([])
  })
})

describe("clients of Java", () => {
  const told = (text: string) => toldIn("java", text)

  it("are builders of java.net.http", () => {
    expect(
      told(
        `HttpRequest request = HttpRequest.newBuilder()\n    .uri(URI.create("${A}/" + id))\n    .header("X-A", "b")\n    .PUT(BodyPublishers.ofString("{\\"amount\\": 5}"))\n    .build();\nHttpResponse<String> response = client.send(request, BodyHandlers.ofString());`
      )
    ).toEqual([`java PUT ${A}/{id} | headers {X-A: "b"} | json {amount: 5}`])
    expect(told(`var r = HttpRequest.newBuilder(URI.create("${A}")).GET().build();`)).toEqual([`java GET ${A}`])
    expect(
      told(
        `HttpRequest.newBuilder().uri(URI.create("${A}")).method("PATCH", HttpRequest.BodyPublishers.ofString("""\n  {"a": 1}\n  """)).build();`
      )
    ).toEqual([`java PATCH ${A} | json {a: 1}`])
  })

  it("are builders of OkHttp", () => {
    expect(
      told(
        `MediaType type = MediaType.parse("application/json");\nRequestBody body = RequestBody.create(type, "{\\"a\\": 1}");\nRequest request = new Request.Builder()\n  .url("${A}")\n  .post(body)\n  .addHeader("X-A", "b")\n  .build();\nResponse response = client.newCall(request).execute();`
      )
    ).toEqual([`java POST ${A} | headers {X-A: "b"} | json {a: 1}`])
    expect(
      told(
        `RequestBody body = new FormBody.Builder().add("a", "b").build();\nnew Request.Builder().url("${A}").post(body).build();`
      )
    ).toEqual([`java POST ${A} | form {a: "b"}`])
  })

  it("are calls of Unirest", () => {
    expect(
      told(
        `HttpResponse<JsonNode> r = Unirest.get("${A}").header("X-A", "b").queryString("limit", 5).asJson();\nUnirest.post("${A}").body("{\\"a\\": 1}").asString();`
      )
    ).toEqual([`java GET ${A} | query {limit: "5"} | headers {X-A: "b"}`, `java POST ${A} | json {a: 1}`])
  })

  it("are written in Kotlin, too", () => {
    expect(
      toldIn(
        "kotlin",
        `val body = """{"a": 1}""".toRequestBody("application/json".toMediaType())\nval request = Request.Builder().url("${A}/$id").post(body).build()`
      )
    ).toEqual([`java POST ${A}/{id} | json {a: 1}`])
  })

  it("leave open what is worked out, and are none without an address", () => {
    expect(
      told(
        `HttpRequest.newBuilder().uri(URI.create("${A}")).POST(BodyPublishers.ofString(json)).build();\nHttpRequest.newBuilder().uri(uri).build();`
      )
    ).toEqual([`java POST ${A} | body ?`])
  })
})

describe("clients of .NET", () => {
  const told = (text: string) => toldIn("csharp", text)

  it("are methods of HttpClient", () => {
    expect(
      told(
        `using var client = new HttpClient { BaseAddress = new Uri("https://api.acme.dev/") };\nclient.DefaultRequestHeaders.Add("X-A", "b");\nvar one = await client.GetFromJsonAsync<Order>($"orders/{order.Id}");\nvar content = new StringContent("{\\"a\\": 1}", Encoding.UTF8, "application/json");\nawait client.PutAsync("orders/1", content);\nawait client.DeleteAsync("${A}/1");`
      )
    ).toEqual([
      `csharp GET ${A}/{Id} | headers {X-A: "b"}`,
      `csharp PUT ${A}/1 | headers {X-A: "b"} | json {a: 1}`,
      `csharp DELETE ${A}/1 | headers {X-A: "b"}`
    ])
  })

  it("send objects, of which names in capitals are open, which may be sent otherwise", () => {
    expect(
      told(
        `var client = new HttpClient();\nawait client.PostAsJsonAsync("${A}", new { amount = 5, Note = "a" });\nawait client.PostAsJsonAsync("${A}", order);`
      )
    ).toEqual([`csharp POST ${A} | json {amount: 5, …}`, `csharp POST ${A} | body ?`])
  })

  it("are messages with a method, an address, headers and content", () => {
    expect(
      told(
        `var request = new HttpRequestMessage(HttpMethod.Post, "${A}");\nrequest.Headers.Add("X-A", "b");\nrequest.Content = new FormUrlEncodedContent(new Dictionary<string, string> { ["a"] = "b", ["c"] = "d" });\nvar other = new HttpRequestMessage\n{\n    Method = HttpMethod.Get,\n    RequestUri = new Uri("${A}/1"),\n    Headers = { { "X-A", "b" } },\n};`
      )
    ).toEqual([
      `csharp POST ${A} | headers {X-A: "b"} | form {a: "b", c: "d"}`,
      `csharp GET ${A}/1 | headers {X-A: "b"}`
    ])
  })

  it("are requests of RestSharp", () => {
    expect(
      told(
        `var client = new RestClient("${A}");\nvar request = new RestRequest(Method.POST);\nrequest.AddHeader("X-A", "b");\nrequest.AddParameter("application/json", "{\\"a\\": 1}", ParameterType.RequestBody);\nIRestResponse response = client.Execute(request);`
      )
    ).toEqual([`csharp POST ${A} | headers {X-A: "b"} | json {a: 1}`])
    expect(
      told(
        `var client = new RestClient("https://api.acme.dev");\nvar request = new RestRequest("orders", Method.Get).AddQueryParameter("limit", "5");\nawait client.ExecuteAsync(request);`
      )
    ).toEqual([`csharp GET ${A} | query {limit: "5"}`])
  })

  it("are left out where the address would be another than it seems", () => {
    expect(
      told(
        `var client = new HttpClient();\nclient.BaseAddress = new Uri("https://api.acme.dev/v1");\nawait client.GetAsync("orders");\nawait client.GetAsync(url);`
      )
    ).toEqual([])
  })
})
