import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d3Errors } from "../../../plugins/d-content/d3-errors.ts"
import { code, manual, plain, table } from "./Manual.ts"

const ROWS = [
  ["400", "The request cannot be read", "Correct the body"],
  ["401", "The key is missing or wrong", "Send a valid key"],
  ["404", "There is no such order", "List the orders first"],
  ["409", "The order has been shipped", "Do not change it"],
  ["429", "Too many requests in a minute", "Wait a minute"]
]
const TABLE = table(["Code", "Meaning", "What to do"], ...ROWS)
const FIRST = table(["Code", "Meaning", "Resolution"], ...ROWS.slice(0, 3))
const SECOND = table(["Code", "Meaning", "Resolution"], ...ROWS.slice(3))
/** Errors without advice. */
const MEANINGS = table(["Code", "Meaning"], ...ROWS.map(([status = "", meaning = ""]) => [status, meaning]))
const body = (sample: object) => code(JSON.stringify(sample, null, 2), "json")
const HELPFUL = { error: { message: "The amount is too high.", param: "amount", doc_url: "https://docs.example.com" } }
const described = (responses: object) => ({
  "/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    paths: { "/orders": { post: { responses } } }
  })
})
const answer = (...fields: ReadonlyArray<string>) => ({
  description: "Is refused",
  content: {
    "application/problem+json": {
      schema: {
        properties: {
          message: { type: "string" },
          ...Object.fromEntries(fields.map((field) => [field, { type: "string" }]))
        }
      }
    }
  }
})
const section = (heading: string, body: string) =>
  manual({ ...plain, "/guide": { title: "Guide", body: `<h2>${heading}</h2>${body}` } })

testCriterion(d3Errors, {
  cases: [
    {
      name: "a page with a table",
      site: manual({ ...plain, "/errors": { title: "Errors", body: TABLE } }),
      earns: 6,
      facts: { listed: 5, explained: 5, advice: true },
      findings: [{ says: 'The page "Errors" (/errors) names 5 errors', proof: "/errors", good: true }]
    },
    {
      name: "errors among the responses below a heading, together for a page",
      site: section(
        "Responses",
        "<ul><li><strong>200 OK</strong>: JSON with the order</li><li><strong>400 Bad Request</strong>: the order has no lines</li></ul><h2>Cancel</h2><p>Stops an order.</p><h3>Responses</h3><ul><li>204 No Content</li><li>409 Conflict: it has been shipped already</li></ul>"
      ),
      earns: 1,
      facts: { listed: 2, explained: 2 },
      findings: [{ says: 'The list "Responses" on /guide and 1 other place name 2 errors, both with a meaning' }]
    },
    {
      name: "successes below such a heading are none",
      site: section("Responses", "<ul><li>200 OK</li><li>204 No Content</li></ul>"),
      earns: 0,
      findings: [{ says: "none of them documents errors" }]
    },
    {
      name: "a page of problems, as RFC 9457 calls them",
      site: manual({ ...plain, "/problems": { title: "Problems", body: TABLE } }),
      earns: 6,
      findings: [{ says: 'The page "Problems" (/problems) names 5 errors', good: true }]
    },
    {
      name: "error codes of something that takes more words to name",
      site: manual({
        ...plain,
        "/appendix/validate": { title: "Validate new customer addresses error codes", body: TABLE }
      }),
      earns: 6,
      findings: [{ says: "names 5 errors", proof: "/appendix/validate", good: true }]
    },
    {
      name: "the problem that a product solves is none",
      site: section("The problem", "<p>Orders get lost. We keep them for you.</p>"),
      earns: 0,
      findings: [{ says: "none of them documents errors" }]
    },
    {
      name: "the types of responses in a table of methods are no errors",
      site: section(
        "Orders service",
        table(["Method name", "Request type", "Response type"], ["PutOrder", "PutOrderRequest", "PutOrderResponse"])
      ),
      earns: 0,
      findings: [{ says: "documents errors" }]
    },
    {
      name: "an enumeration of error codes, as programs write it",
      site: section(
        "ErrorCode",
        table(
          ["Name", "Number", "Description"],
          ["ERROR_CODE_DUPLICATE", "1", "The order is there already"],
          ["ErrorCode_Denied", "2", "The key may not read orders"]
        )
      ),
      earns: 1,
      facts: { listed: 2, explained: 2 },
      findings: [{ says: 'The section "ErrorCode" of /guide names 2 errors' }]
    },
    {
      name: "responses in code below a section on errors",
      site: section(
        "Validation errors",
        `<h3>Request</h3>${code("POST /orders", "http")}<h3>Response</h3>${code("Content-Type: application/json\n422 Unprocessable Entity", "text")}${code('{ "error": "amount_missing" }', "json")}`
      ),
      earns: 1,
      facts: { listed: 1, explained: 0 },
      findings: [{ says: "names 1 error, without its meaning" }]
    },
    {
      name: "tabs of the responses of an operation",
      site: manual({
        ...plain,
        "/orders": {
          title: "Create an order",
          body:
            "<h2>Responses</h2><ul role=tablist><li role=tab>200</li><li role=tab>400</li><li role=tab>409 Conflict</li></ul>" +
            "<div><div role=tabpanel>Done</div><div role=tabpanel hidden>A line of the order is wrong</div><div role=tabpanel hidden>It is there already</div></div>"
        }
      }),
      earns: 1,
      facts: { listed: 2, explained: 2, advice: false },
      findings: [{ says: "The list of responses on /orders names 2 errors, both with a meaning" }]
    },
    {
      name: "pages that visitors get in place of others are no errors of an API",
      site: manual({
        ...plain,
        "/404": { title: "404 error pages tracking", body: "<p>Count the pages that are missing.</p>" }
      }),
      earns: 0,
      facts: { listed: 0 }
    },
    {
      name: "meanings and a sample of a body that names the field",
      site: section("Errors", MEANINGS + body(HELPFUL)),
      earns: 4,
      facts: { explained: 5, advice: false, body: true },
      findings: [
        { says: 'The section "Errors" of /guide has an error body with a message', proof: "/guide", good: true }
      ]
    },
    {
      name: "advice and a table of the fields of a body",
      site: section("Errors", FIRST + table(["Field", "Meaning"], ["message", "A text"], ["reason", "Why"])),
      earns: 4,
      facts: { advice: true, body: true }
    },
    {
      name: "a body with a code and a message alone",
      site: section("Errors", MEANINGS + body({ code: "too_high", message: "The amount is too high." })),
      earns: 2,
      facts: { body: false }
    },
    {
      name: "a body that helps, of another topic",
      site: section("Orders", body({ message: "Thank you", field: "north" })),
      earns: 0,
      facts: { body: false }
    },
    {
      name: "a body that helps in the API description, and no list of errors",
      site: manual(plain, described({ default: answer("hint") })),
      earns: 2,
      facts: { listed: 0, body: true },
      findings: [
        { says: "none of them lists errors", good: false },
        { says: "The API description has an error body", proof: "/openapi.json", good: true }
      ]
    },
    {
      name: "a body in the API description that has a status and a path",
      site: manual(plain, described({ 400: answer("status", "path", "timestamp") })),
      earns: 1,
      facts: { listed: 1, body: false }
    },
    {
      name: "a section with a list and advice on retrying",
      site: section(
        "Error codes",
        `<ul>${ROWS.map(([status, meaning]) => `<li><code>${status}</code>: ${meaning}</li>`).join("")}</ul><h3>Retrying</h3><p>Wait, then try again.</p>`
      ),
      earns: 6
    },
    {
      name: "a page with a section for each",
      site: manual({
        ...plain,
        "/errors": {
          title: "Error reference",
          body: ["order_not_found", "invalid_state", "key_expired", "quota_exceeded", "order_not_paid"]
            .map((name) => `<h2>${name}</h2><p>Means that it is not right. Check what you send.</p>`)
            .join("")
        }
      }),
      earns: 6
    },
    {
      name: "no advice",
      site: section(
        "Errors",
        table(
          ["Code", "Meaning"],
          ["400", "The body cannot be read"],
          ["401", "The key is wrong"],
          ["404", "There is no such order"],
          ["409", "It has been shipped"],
          ["500", "A fault on our side"]
        )
      ),
      earns: 2,
      facts: { explained: 5, advice: false }
    },
    {
      name: "codes and names only",
      site: section(
        "Errors",
        table(
          ["Code", "Name"],
          ...[
            ["400", "Bad Request"],
            ["401", "Unauthorized"],
            ["403", "Forbidden"],
            ["404", "Not Found"],
            ["500", "Internal Server Error"]
          ]
        )
      ),
      earns: 1,
      facts: { listed: 5, explained: 0 }
    },
    {
      name: "fewer than five",
      site: section("Errors", table(["Code", "Meaning", "Resolution"], ...ROWS.slice(0, 3))),
      earns: 2,
      facts: { listed: 3, explained: 3 }
    },
    {
      name: "places of different parts are not added up",
      site: manual({
        "/orders/errors": { title: "Errors", body: FIRST },
        "/refunds/exceptions": { title: "Exceptions", body: SECOND }
      }),
      earns: 2,
      facts: { listed: 3 }
    },
    {
      name: "the errors of each operation are not added up",
      site: section("Orders", `<h3>Errors</h3>${FIRST}<h2>Refunds</h2><h3>Errors</h3>${SECOND}`),
      earns: 2,
      facts: { listed: 3 }
    },
    {
      name: "an error page and its siblings are read together",
      site: manual({
        "/guide/errors": { title: "Errors", body: FIRST },
        "/guide/error-codes": { title: "More error codes", body: SECOND }
      }),
      earns: 6,
      facts: { listed: 5, explained: 5 },
      findings: [{ says: " and 1 other place name 5 errors" }]
    },
    {
      name: "an error page and the pages below it are read together",
      site: manual({
        "/guide/errors": { title: "Errors", body: FIRST },
        "/guide/errors/refunds": { title: "Refunds", body: SECOND }
      }),
      earns: 6,
      facts: { listed: 5 }
    },
    {
      name: "pages in a folder named after errors are read together",
      site: manual({
        "/errors/orders": { title: "When an order fails", body: FIRST },
        "/errors/refunds": { title: "Refunds", body: SECOND }
      }),
      earns: 6,
      facts: { listed: 5 }
    },
    {
      name: "sections on errors below one heading are read together",
      site: section("HTTP errors", `${FIRST}<h2>Error codes</h2>${SECOND}`),
      earns: 6,
      facts: { listed: 5 }
    },
    {
      name: "exceptions of a library",
      site: manual({
        ...plain,
        "/exceptions": {
          title: "Exceptions",
          body: `<dl>${["ConnectError", "ReadTimeout", "WriteTimeout", "PoolTimeout", "DecodingError", "StatusError"].map((name) => `<dt>exception orders.${name}</dt><dd>Raised when talking to the server fails so.</dd>`).join("")}</dl>${code("try:\n  go()\nexcept orders.ConnectError:\n  wait()", "python")}`
        }
      }),
      earns: 6
    },
    {
      name: "a generator's line of what a class is based on is no meaning",
      site: manual({
        ...plain,
        "/errors": {
          title: "Exceptions",
          body: `<dl>${["Auth", "Quota", "Lock", "Name", "Date", "Size"].map((name) => `<dt>exception acme.errors.${name}Error</dt><dd><p>Bases: <code>acme.errors.AcmeError</code></p></dd>`).join("")}</dl>`
        }
      }),
      earns: 1,
      facts: { listed: 6, explained: 0 }
    },
    {
      name: "a section on what catches errors lists none",
      site: manual({
        ...plain,
        "/middleware": {
          title: "Middleware",
          body: "<h2>CatchErrors</h2><dl><dt>class acme.catch_errors.EnforcingFile</dt><dd><p>Reads a file and counts its bytes.</p></dd><dt>class acme.catch_errors.Context</dt><dd><p>Holds what a call needs to be logged.</p></dd></dl>"
        }
      }),
      earns: 0
    },
    {
      name: "error responses of the description",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Orders", version: "1" },
          paths: {
            "/orders": {
              get: { responses: { 200: { description: "Fine" }, 404: { description: "There is no such order" } } }
            }
          }
        })
      }),
      earns: 1,
      facts: { listed: 1, explained: 1 }
    },
    {
      name: "words and numbers in running text",
      site: section(
        "Orders",
        "<p>An error 429 is rare. We had 404 orders yesterday, and 500 today; errors are bad.</p>"
      ),
      earns: 0
    },
    {
      name: "the error answers of an operation",
      site: section("Response (404 Not Found)", "<p>When there is no such order.</p>"),
      earns: 1,
      facts: { listed: 1, explained: 1 }
    },
    {
      name: "errors below a term",
      site: section(
        "Orders",
        "<dl><dt>Possible errors (application/problem+json)</dt><dd><ul><li>404 Not Found</li><li>409 Conflict</li></ul></dd></dl>"
      ),
      earns: 1,
      facts: { listed: 2, explained: 0 }
    },
    {
      name: "a list of statuses below a line that names errors",
      site: section(
        "Answers",
        "<p>200 OK</p><p>Possible errors <em>(application/problem+json)</em>:</p><ul><li><code>404 Not Found</code></li><li><code>409 Conflict</code>: it has been shipped already</li></ul><p>The end.</p>"
      ),
      earns: 1,
      facts: { listed: 2, explained: 1 }
    },
    {
      name: "a list of statuses below a line whose last sentence names errors",
      site: section(
        "Requests",
        "<p>All endpoints answer with a status code <strong>200 (OK)</strong> if nothing goes wrong. Other relevant response codes include:</p><ul><li><strong>404 - Not Found:</strong> There is no such order.</li><li><strong>500 - Internal Server Error:</strong> Please contact us.</li></ul>"
      ),
      earns: 1,
      facts: { listed: 2, explained: 2 },
      findings: [{ says: 'The list "Other relevant response codes include:" on /', good: false }]
    },
    {
      name: "the lists of the operations of a page, together",
      site: section(
        "Answers",
        "<p>Possible errors:</p><ul><li>404 Not Found</li><li>409 Conflict</li></ul><h2>Cancel</h2><p>Possible errors:</p><ul><li>401 Unauthorized</li><li>404 Not Found</li></ul>"
      ),
      earns: 1,
      facts: { listed: 3, explained: 0 },
      findings: [
        {
          says: 'The list "Possible errors:" on /guide and 1 other place name 3 errors, none with a meaning',
          good: false
        }
      ]
    },
    {
      name: "a list of statuses below any line",
      site: section("Answers", "<p>Rooms of the house:</p><ul><li>404 with a view</li><li>409 without one</li></ul>"),
      earns: 0
    },
    {
      name: "statuses in a line that names errors",
      site: section("Delete an order", "<p>Normal response codes: 204</p><p>Error response codes:204,404,409.</p>"),
      earns: 1,
      facts: { listed: 2, explained: 0 },
      findings: [{ says: 'The text after "Error response codes" on /' }]
    },
    {
      name: "statuses in a line of running text that begins with errors",
      site: section(
        "Delete an order",
        "<p>Errors: we had 404 visitors and 409 orders on the first day, and no trouble.</p>"
      ),
      earns: 0,
      facts: { listed: 0 }
    },
    {
      name: "a section that names none",
      site: section("Error handling", "<p>Errors happen. Be careful with them, and be kind to each other.</p>"),
      earns: 0,
      findings: [{ says: "is about errors, but names none" }]
    },
    {
      name: "an error page is no page about errors",
      site: manual({ ...plain, "/404": { title: "404 Page not found", body: "" } }),
      earns: 0
    },
    {
      name: "situations without a code or name",
      site: section(
        "Troubleshooting",
        table(
          ["Problem", "Cause", "Solution"],
          ["Orders do not arrive", "The shop is closed", "Open the shop"],
          ["The list is empty", "The filter is too narrow", "Widen the filter"],
          ["Prices are wrong when ORDERS_CURRENCY is not set", "The currency is another one", "Set the currency"],
          ["Calls are slow", "The network is far away", "Use a nearer host"],
          ["A 500 MB file fails", "It is too large for us", "Split it"]
        )
      ),
      earns: 0,
      facts: { listed: 0 }
    },
    {
      name: "situations with codes and names",
      site: section(
        "Troubleshooting",
        table(
          ["Problem", "Cause", "Solution"],
          ["The API returns 401", "The key is wrong", "Send another key"],
          ["403 Forbidden on a list", "The key lacks a scope", "Add the scope"],
          ["Sending fails with `quota_exceeded`", "Too much was sent", "Wait a day"],
          ["ReadTimeoutError in the log", "The network is slow", "Try again"],
          ["invalid_currency", "It is not known to us", "Use another one"],
          ["The list is empty", "The filter is narrow", "Widen it"]
        )
      ),
      earns: 6,
      facts: { listed: 5, explained: 5, advice: true }
    },
    {
      name: "codes beside messages",
      site: section(
        "Errors",
        table(
          ["Message", "Code", "Meaning"],
          ["No such order", "E101", "There is no order with that id"],
          ["No such shop", "E102", "There is no shop with that id"]
        )
      ),
      earns: 1,
      facts: { listed: 2, explained: 2 }
    },
    {
      name: "situations in another language",
      site: manual({
        ...plain,
        "/fehler": {
          title: "Fehlerbehandlung",
          body: `<p>Die Anfragen werden mit einem Schlüssel gesendet, und der Schlüssel ist geheim. Das sind die Probleme und die Lösungen.</p>${table(["Problem", "Ursache", "Lösung"], ["Die Liste ist leer", "Der Filter ist zu eng", "Filter erweitern"], ["Preise sind falsch", "Die Währung ist eine andere", "Währung setzen"])}`
        }
      }),
      earns: 0,
      facts: { listed: 0 }
    },
    {
      name: "a table that the line before it names",
      site: section(
        "Answers",
        `<p>These status codes may come back:</p>${table(["Value", "Means"], ["401", "There is no key"], ["404", "There is no order"])}`
      ),
      earns: 1,
      facts: { listed: 2, explained: 2 },
      findings: [{ says: 'The table with "These status codes may come back"', good: false }]
    },
    {
      name: "one that a line in another language names",
      site: manual({
        ...plain,
        "/jiekou": {
          title: "接口",
          body: `<p>本页介绍如何调用订单接口，以及每个接口的参数和返回值，请先阅读概述。</p><p>调用后服务器返回以下状态码：</p>${table(["值", "含义"], ["401", "没有密钥"], ["404", "没有这个订单"])}`
        }
      }),
      earns: 1,
      facts: { listed: 2 }
    },
    {
      name: "a table of something else after a line about errors",
      site: section(
        "Answers",
        `<p>To avoid errors, set these:</p>${table(["Name", "Means"], ["retries", "How often"], ["limit_mode", "How much"])}`
      ),
      earns: 0,
      facts: { listed: 0 }
    },
    {
      name: "lists of statuses below each operation that begin with those of success",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: ["List", "Create"]
            .map(
              (what) =>
                `<h2>${what} orders</h2><dl><dt>Status Codes:</dt><dd><ul><li><p>200 OK – <code>success</code></p></li><li><p>400 Bad Request –</p><ul><li>the customer has no address</li><li>the date is in the past</li></ul></li><li><p>401 Unauthorized – provide a valid token of an account</p></li><li><p>403 Forbidden – error, registration of customers is disabled</p></li><li><p>500 Internal Server Error – error, please try again later</p></li></ul></dd></dl>`
            )
            .join("")
        }
      }),
      earns: 1,
      facts: { listed: 4, explained: 4 },
      findings: [{ says: 'The list "Status Codes:" on /orders' }]
    },
    {
      name: "headings of a status with a colon",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: "<h2>Create an order</h2><p>It costs money.</p><h5>401: Unauthorized</h5><p>If the header has no valid token, the request will fail.</p><h5>422: Unprocessable Entity</h5><p>There is no such customer in the shop.</p>"
        }
      }),
      earns: 1,
      facts: { listed: 2, explained: 2 }
    },
    {
      name: "fields of an error object",
      site: section("Errors", table(["Field", "Type"], ["error_code", "string"], ["error_message", "string"])),
      earns: 0
    }
  ]
})
