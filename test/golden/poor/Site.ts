import type { FakeSite } from "../../../engine/testing/FakeSite.ts"

export const POOR_URL = "https://developer.gridwatt-energy.com"

/** A handful of hand-made pages from years ago: readable without JavaScript, and nothing else. */
export const poorSite = (): FakeSite => ({
  "/": page(
    "Gridwatt",
    `<h2>Gridwatt meter API</h2>
<p>With our API you read the meters of your customers from your own program. Write to us and we send you a manual and your access data by post.</p>
<p>Our interface has been in use since 2009 by more than forty municipal utilities, and is known for its stability and its simple, open format.</p>`
  ),
  "/readings.html": page(
    "Gridwatt",
    `<h3>Readings</h3>
<p>The request <tt>readings.cgi?meter=NUMBER</tt> answers with the last value of the meter. Values come as lines of text, with the date before the value, and a semicolon between the two.</p>
<pre>2011-03-01;4711.2
2011-03-02;4719.8</pre>
<h3>Intervals</h3>
<p>Add <tt>from</tt> and <tt>to</tt> to get more than one value. Both are dates as they are written in Germany.</p>`
  ),
  "/tariffs.html": page(
    "Gridwatt",
    `<h3>Tariffs</h3>
<p>The request <tt>tariffs.cgi</tt> lists all tariffs with their prices in cents. Prices are changed at the beginning of a year only, so you need not ask more often than that.</p>`
  ),
  "/contact.html": page(
    "Gridwatt",
    "<h3>Contact</h3><p>Our office is open from Monday to Thursday, from nine to twelve and from two to four. We answer letters within a week.</p>"
  )
})

const page = (title: string, content: string) => ({
  type: "text/html",
  headers: { server: "Apache/2.2.15", "cache-control": "max-age=604800" },
  body: `<html><head><title>${title}</title></head>
<body bgcolor="#ffffff">
<table width="800"><tr><td valign="top" width="160">
<a href="/">Start</a><br><a href="/readings.html">Readings</a><br><a href="/tariffs.html">Tariffs</a><br><a href="/contact.html">Contact</a>
</td><td>
${content}
</td></tr></table>
</body></html>
`
})
