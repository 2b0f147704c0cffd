import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d5RateLimits } from "../../../plugins/d-content/d5-rate-limits.ts"
import { manual, plain, table } from "./Manual.ts"

const page = (body: string, title = "Rate limits") => manual({ ...plain, "/limits": { title, body } })
const NUMBER = "<p>You may send 100 requests per minute for each key.</p>"
const BEYOND = "<p>Beyond that, the answer is <code>429 Too Many Requests</code>.</p>"
const HEADERS = "<p>Wait as long as <code>Retry-After</code> says.</p>"

const ACCORDION =
  '<button class="collapsible">Where are the logs?</button><div><p>They are in a folder of your own.</p></div>' +
  '<button class="collapsible">How many requests may I send?</button><div><p>Up to 10 requests per second; beyond that, calls are rejected.</p></div>'

testCriterion(d5RateLimits, {
  cases: [
    {
      name: "all three on a page",
      site: page(NUMBER + BEYOND + HEADERS),
      earns: 1,
      facts: { quantity: true, consequence: true, headers: true },
      findings: [{ says: "Documented: ", proof: "/limits", good: true }]
    },
    {
      name: "a sentence of the reference, without a heading of its own",
      site: manual({
        ...plain,
        "/stats-api": {
          title: "Stats API",
          body: "<p>API keys have a rate limit of 600 requests per hour.</p>" + BEYOND + HEADERS
        }
      }),
      earns: 1,
      facts: { quantity: true, consequence: true, headers: true }
    },
    {
      name: "the limit of another product's API",
      site: manual({
        ...plain,
        "/sync-api": {
          title: "Sync API",
          body: "<p>You have hit Acme's API rate limit (most often 2,000 calls/day).</p>"
        }
      }),
      earns: 0,
      facts: { quantity: false }
    },
    {
      name: "the limit of the product by its name",
      url: "https://docs.acme.dev",
      site: Object.fromEntries(
        Object.entries(
          manual({
            ...plain,
            "/sync-api": {
              title: "Sync API",
              body: "<p>You have hit Acme's API rate limit (most often 2,000 calls/day).</p>" + BEYOND + HEADERS
            }
          })
        ).map(([path, answer]) => [`https://docs.acme.dev${path}`, answer])
      ),
      earns: 1,
      facts: { quantity: true, consequence: true, headers: true }
    },
    {
      name: "a sentence of the reference on what is throttled",
      site: manual({
        ...plain,
        "/stats-api": {
          title: "Stats API",
          body: "<h2>Keys</h2><p>Calls without a key are throttled at ~60 req/min per IP address with a HTTP 429 response code.</p>"
        }
      }),
      earns: "partial",
      facts: { quantity: true, consequence: true, headers: false }
    },
    {
      name: "nor where every title has API in it, because the site's name has",
      site: manual(
        Object.fromEntries(
          ["Guide", "Orders", "Lines", "Customers"].map((title) => [
            `/${title.toLowerCase()}`,
            { title: `${title} | Shop API`, body: "<p>Keys have a rate limit of 600 requests per hour.</p>" }
          ])
        )
      ),
      earns: 0,
      facts: { quantity: false }
    },
    ...[
      [
        ["Limit", "Time period"],
        ["300", "5 minutes"]
      ],
      [
        ["Endpoint", "Limit", "Time Period (ms)"],
        ["/calls", "1", "1000"]
      ]
    ].map(([header = [], row = []]) => ({
      name: `a number beside its window in another column: ${header.join(", ")}`,
      site: page(table(header, row)),
      earns: "partial" as const,
      facts: { quantity: true }
    })),
    {
      name: "numbers and days of something else",
      site: page(table(["Plan", "Seats", "Period"], ["Basic", "10", "30 days"])),
      earns: 0,
      facts: { quantity: false }
    },
    {
      name: "what is returned once the limit is reached",
      site: page("<p>If the API rate limit is reached, the API will return a <code>403 Forbidden</code> error.</p>"),
      earns: "partial",
      facts: { consequence: true }
    },
    {
      name: "a quota after which no more requests can be made",
      site: page(
        "<p>Once the monthly quota is used up, the key will not be able to make further requests until the month is over.</p>"
      ),
      earns: "partial",
      facts: { consequence: true }
    },
    {
      name: "the text of an operation",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Orders", version: "1" },
          paths: {
            "/orders": {
              get: {
                description: "Rate limits: Limited to 100 requests per minute.",
                responses: { 200: { description: "Fine" } }
              }
            }
          }
        })
      }),
      earns: "partial",
      facts: { quantity: true },
      findings: [{ says: "The text of an operation in the API description", good: true }]
    },
    {
      name: "a sentence of a guide without a heading of its own does not count",
      site: manual({
        ...plain,
        "/guide": { title: "Guide", body: "<p>Keys have a rate limit of 600 requests per hour.</p>" }
      }),
      earns: 0,
      facts: { quantity: false }
    },
    {
      name: "all three in an item of a list that is labelled with them",
      site: manual({
        ...plain,
        "/rules": {
          title: "Rules",
          body: "<ul><li><strong>Rate limits:</strong> 100 requests per minute; beyond that, 429 with <code>Retry-After</code>.</li><li><b>Dates:</b> ISO 8601</li></ul>"
        }
      }),
      earns: 1,
      findings: [{ says: "The entry Rate limits on /rules", good: true }]
    },
    {
      name: "an item of the API description that is labelled with them",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Orders", version: "1", description: "- **Request limits:** 10 requests per second" },
          paths: { "/orders": { get: { responses: { 200: { description: "Fine" } } } } }
        })
      }),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "an item that explains what rate limiting is",
      site: manual({
        ...plain,
        "/rules": {
          title: "Rules",
          body: "<ul><li><b>Rate limiting:</b> keeps clients from sending too many requests to your server</li></ul>"
        }
      }),
      earns: 0
    },
    {
      name: "a quota on what is stored is no rate limit, nor are its headers",
      site: manual({
        ...plain,
        "/container-quotas": {
          title: "Container quotas",
          body:
            "<p>The owner of a container may set how much it holds. When you exceed a quota, requests to create objects fail with <code>413 Request Entity Too Large</code>.</p>" +
            table(["Metadata", "Use"], ["X-Container-Meta-Quota-Bytes", "Maximum size of the container, in bytes"])
        }
      }),
      earns: 0,
      facts: { quantity: false, consequence: false, headers: false }
    },
    {
      name: "a quota on calls is a rate limit",
      site: manual({
        ...plain,
        "/tenant-quotas": {
          title: "Tenant quotas",
          body: "<p>The number of calls is limited; what goes beyond the quota is rejected with 429.</p>"
        }
      }),
      earns: "partial",
      facts: { consequence: true }
    },
    {
      name: "a status of the server's own beyond the limit",
      site: page(
        "<p>The server will immediately return a 498 response if you would have to wait too long.</p>",
        "Rate limiting"
      ),
      earns: "partial",
      facts: { quantity: false, consequence: true }
    },
    {
      name: "the same in a table without marked headings",
      site: page(
        "<p>All limits are in requests per second.</p><table><tbody><tr><td>Size</td><td>Rate limit</td></tr><tr><td>100</td><td>50</td></tr><tr><td>500</td><td>20</td></tr></tbody></table>",
        "Rate limiting"
      ),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "limits in a column, with their window in the text",
      site: page(
        "<p>All limits are in requests per second.</p>" + table(["Size", "Rate limit"], ["100", "50"], ["500", "20"]),
        "Rate limiting"
      ),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "an item of a list that has another label",
      site: manual({
        ...plain,
        "/rules": { title: "Rules", body: "<ul><li><b>Printing:</b> 100 pages per minute with Retry-After</li></ul>" }
      }),
      earns: 0
    },
    {
      name: "headers in a list, wherever it is",
      site: manual({
        ...plain,
        "/client": {
          title: "Client",
          body: "<ul><li><code>X-RateLimit-Remaining</code>: calls that are left</li></ul>"
        }
      }),
      earns: "partial",
      facts: { headers: true }
    },
    {
      name: "a first sentence that says there are none, and a header that is not needed",
      site: page(
        "<p>There are no rate limits, since nothing leaves your machine. You need no <code>Retry-After</code> handling.</p>"
      ),
      earns: 1,
      facts: { none_apply: true, headers: false }
    },
    ...[
      [
        "Drosselung",
        "Die Anfragen sind mit einem Schlüssel zu senden, und das ist alles. Die API sendet keinen Retry-After."
      ],
      ["Cuotas", "Las llamadas son para todos los que tienen una clave, y el servicio no envía Retry-After."],
      ["レート制限", "このページではレート制限について説明します。Retry-After は返しません。"],
      ["频率限制", "本页介绍接口的频率限制，请在调用前仔细阅读以下内容。服务器不返回 Retry-After。"]
    ].map(([title = "", text = ""]) => ({
      name: `a header that is not sent, below ${title}`,
      site: page(`<p>${text}</p>`, title),
      earns: 0,
      facts: { headers: false }
    })),
    {
      name: "a header that callers may not ignore",
      site: page("<p>Do not call again before the time in Retry-After has passed. Not all calls count.</p>"),
      earns: "partial",
      facts: { headers: true }
    },
    {
      name: "a column of limits that are no rates",
      site: manual({
        ...plain,
        "/devices": { title: "Devices", body: table(["Value", "Limits"], ["1", "Prints in black"], ["2", "none"]) }
      }),
      earns: 0,
      findings: [{ says: "We read 6 pages, and none of them documents rate limits", good: false }]
    },
    {
      name: "a column of limits that are",
      site: manual({
        ...plain,
        "/calls": { title: "Calls", body: table(["Call", "Limits"], ["list", "10 requests per second"]) }
      }),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "nothing in what is read of a longer full text",
      site: manual(plain, { "/llms-full.txt": `# Orders\n\n${"All the words of all the pages.\n".repeat(170_000)}` }),
      earns: "inconclusive"
    },
    {
      name: "all three in what is read of a longer full text",
      site: manual(plain, {
        "/llms-full.txt": `# Rate limits\n\n100 requests per minute. Beyond that, 429 Too Many Requests and Retry-After.\n\n# Orders\n\n${"All the words of all the pages.\n".repeat(170_000)}`
      }),
      earns: 1
    },
    { name: "two", site: page(NUMBER + BEYOND), earns: "partial", findings: [{ says: "Missing: rate-limit headers" }] },
    { name: "a number", site: page(NUMBER), earns: "partial" },
    {
      name: "a number in a table by plan",
      site: page(table(["Plan", "Requests per minute"], ["Free", "60"], ["Pro", "6,000"])),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "a short form",
      site: page("<p>600 rpm, 10k tokens/day.</p>"),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "a question",
      site: page(
        "<h2>Is there a limit to the number of calls I can make?</h2><p>Yes, 10k requests per second per IP.</p>",
        "FAQ"
      ),
      earns: "partial"
    },
    {
      name: "a question that opens on a click",
      site: manual({ ...plain, "/faq": { title: "FAQ", body: ACCORDION } }),
      earns: "partial",
      facts: { quantity: true, consequence: true },
      findings: [{ says: 'section "How many requests may I send"' }]
    },
    {
      name: "one button before a box is no question",
      site: manual({
        ...plain,
        "/faq": {
          title: "FAQ",
          body: "<button>How many requests may I send?</button><div><p>Up to 10 requests per second; beyond that, calls are rejected.</p></div><p>The end.</p>"
        }
      }),
      earns: 0
    },
    {
      name: "questions in a sidebar",
      site: manual({
        ...plain,
        "/faq": { title: "FAQ", body: `<p>We answer questions by mail.</p><nav>${ACCORDION}</nav>` }
      }),
      earns: 0
    },
    {
      name: "no limits, said as a subject",
      site: page("<p>There are no rate limits at the moment. Be kind.</p>"),
      earns: 1,
      facts: { none_apply: true }
    },
    {
      name: "no limits on a condition",
      site: page("<p>All settings are optional. If no limits are set there will be no rate limiting.</p>"),
      earns: 0,
      facts: { none_apply: false }
    },
    {
      name: "an endpoint without limits, and limits on the rest",
      site: page(`<p>/health is not rate limited.</p>${BEYOND}${HEADERS}`),
      earns: "partial",
      facts: { none_apply: false, quantity: false, consequence: true, headers: true }
    },
    {
      name: "an endpoint without limits, and a number on another page",
      site: manual({
        ...plain,
        "/limits": { title: "Rate limits", body: NUMBER },
        "/status": { title: "Status", body: "<h2>Rate limits</h2><p>This endpoint is not rate limited.</p>" }
      }),
      earns: "partial",
      facts: { none_apply: false, quantity: true }
    },
    ...[
      "This endpoint is not rate limited.",
      "The /api/health endpoint has no rate limit.",
      "There are no rate limits on these read requests.",
      "No rate limit applies to GET /health."
    ].map((said) => ({
      name: `of a part of the API alone: ${said}`,
      site: page(`<p>${said}</p>`),
      earns: 0,
      facts: { none_apply: false }
    })),
    ...[
      "The API is not rate limited.",
      "There are no rate limits on any endpoint.",
      "Our endpoints have no rate limits.",
      "Is there a limit? There is no rate limit, and/or quota."
    ].map((said) => ({
      name: `of the whole API: ${said}`,
      site: page(`<p>${said}</p>`),
      earns: 1,
      facts: { none_apply: true }
    })),
    {
      name: "no limits, beside what happens to calls that are too large",
      site: page("<p>There are no rate limits.</p><h2>Limits</h2><p>Files of more than 10 MB are rejected.</p>"),
      earns: 1,
      facts: { none_apply: true }
    },
    {
      name: "no limits in what is read of a longer full text",
      site: manual(plain, {
        "/llms-full.txt": `# Rate limits\n\nThere are no rate limits.\n\n# Orders\n\n${"All the words of all the pages.\n".repeat(170_000)}`
      }),
      earns: "inconclusive",
      facts: { none_apply: true }
    },
    {
      name: "a number within any window",
      site: page("<p>You may send 5 requests within any 60-second window.</p>"),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "headers in a table",
      site: manual({
        ...plain,
        "/orders": { title: "Orders", body: table(["Header", "Meaning"], ["X-RateLimit-Remaining", "What is left"]) }
      }),
      earns: "partial",
      facts: { headers: true }
    },
    {
      name: "429 in a table of errors",
      site: manual({
        ...plain,
        "/errors": { title: "Errors", body: table(["Code", "Meaning"], ["429", "Too many requests"]) }
      }),
      earns: "partial",
      facts: { consequence: true }
    },
    {
      name: "headers that a table says are ignored",
      site: manual({
        ...plain,
        "/orders": { title: "Orders", body: table(["Field", "Support"], ["x-ratelimit-remaining", "Ignored"]) }
      }),
      earns: 0,
      facts: { headers: false }
    },
    {
      name: "429 and a header of the description",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Orders", version: "1" },
          paths: {
            "/orders": {
              get: {
                responses: {
                  200: { description: "Fine" },
                  429: { description: "Slow down", headers: { "Retry-After": { schema: { type: "integer" } } } }
                }
              }
            }
          }
        })
      }),
      earns: "partial"
    },
    {
      name: "a vendor's own headers in a table on the page",
      site: page(
        table(["Header", "Meaning"], ["X-Used-Weight-1m", "What you have used"], ["X-Calls-Remaining", "What is left"])
      ),
      earns: "partial",
      facts: { headers: true }
    },
    {
      name: "a vendor's own headers in a list on the page",
      site: page(
        "<ul><li><code>X-Quota-Reset</code>: when it begins anew</li><li>X-Window-Limit – what you may send</li></ul>"
      ),
      earns: "partial",
      facts: { headers: true }
    },
    {
      name: "headers of another subject",
      site: manual({
        ...plain,
        "/uploads": { title: "Uploads", body: table(["Header", "Meaning"], ["X-Upload-Limit", "Bytes"]) }
      }),
      earns: 0,
      facts: { headers: false }
    },
    {
      name: "fields of a table on the page that are no headers",
      site: page(table(["Field", "Meaning"], ["limit", "The most"], ["credit-limit", "Money"])),
      earns: 0,
      facts: { headers: false }
    },
    ...[
      "Throttling",
      "Request throttling",
      "API quotas",
      "TPS",
      "TPS limits",
      "Thresholds",
      "Request thresholds",
      "Throttle limits",
      "Transactions per second",
      "Request quotas and thresholds",
      "Burst limits"
    ].map((title) => ({
      name: `under the heading ${title}`,
      site: manual({ ...plain, "/guide": { title: "Guide", body: `<h2>${title}</h2><p>Each key has 20 TPS.</p>` } }),
      earns: "partial" as const,
      facts: { quantity: true }
    })),
    {
      name: "a status before a word that begins like a preposition",
      site: page("<p>The answer is 429, and nothing is done.</p>"),
      earns: "partial",
      facts: { quantity: false, consequence: true }
    },
    ...[
      { body: "", says: "of 91 pages, and none of them documents rate limits" },
      { body: NUMBER, says: "of 91 pages that we read: what happens beyond a limit and rate-limit headers" }
    ].map(({ body, says }) => ({
      name: `a documentation that is not read whole: ${says}`,
      site: manual(
        Object.fromEntries(
          Array.from({ length: 90 }, (_, at) => [
            `/page-${at}`,
            { title: at === 0 && body !== "" ? "Rate limits" : `Chapter ${at}`, body }
          ])
        )
      ),
      earns: body === "" ? 0 : ("partial" as const),
      findings: [{ says }]
    })),
    {
      name: "a page of a site whose sitemap names twice as many that are gone",
      site: manual(
        Object.fromEntries(
          Array.from({ length: 30 }, (_, at) => [
            `/chapter-${at}`,
            { title: `Chapter ${at}`, body: at % 10 === 7 ? `<h2>Rate limits</h2>${NUMBER}` : "" }
          ])
        ),
        {
          "/sitemap.xml": `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: 90 }, (_, at) => `<url><loc>https://docs.example.com/docs/docs/page-${at}</loc></url>`).join("")}</urlset>`
        }
      ),
      earns: "partial",
      facts: { quantity: true }
    },
    {
      name: "a section without a word on it",
      site: page("<p>Please be reasonable with our service.</p>"),
      earns: 0,
      findings: [{ says: "is about limits" }]
    },
    {
      name: "frame rates, sizes, numbers in passing",
      site: manual({
        ...plain,
        "/video": {
          title: "Video",
          body: "<h2>Frame rate</h2><p>30 frames per second.</p><h2>Size limits</h2><p>429 pixels. 100 requests per minute are usual.</p><h2>Thermal throttling</h2><p>The processor is throttled.</p>"
        }
      }),
      earns: 0
    }
  ]
})
