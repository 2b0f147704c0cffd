import { expect, test } from "vitest"
import { feedDates } from "../../../plugins/d-content/Changelog.ts"

test("dates of RSS and Atom", () => {
  expect(
    feedDates(
      "<rss><channel><lastBuildDate>A</lastBuildDate><item><title>B</title><pubDate> C </pubDate></item></channel></rss>"
    )
  ).toEqual(["A", "C"])
  expect(feedDates("<feed><updated>A</updated><entry><id>1</id><published>B</published></entry></feed>")).toEqual([
    "A",
    "B"
  ])
})

test.each(["", "no feed", "<rss><pubDate>", "{}", "<pubDate>".repeat(50_000)])(
  "what is broken has few or none",
  (text) => expect(feedDates(text).length).toBeLessThanOrEqual(1_000)
)
