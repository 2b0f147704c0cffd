import { load } from "cheerio"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { timeChart, type TimeChartProps } from "../../../../server/pages/charts/Charts.ts"

const drawn = (props: Omit<TimeChartProps, "id" | "title">) => {
  const $ = load(render(timeChart({ id: "line", title: "Scores", ...props })))
  const number = (name: string) => (element: Parameters<typeof $>[0]) => Number.parseFloat($(element).attr(name) ?? "")
  return { $, dots: $("circle").toArray(), x: number("cx"), y: number("cy") }
}

const DAYS = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-05T00:00:00Z"] as const

describe("a line over time", () => {
  const moments = [
    { at: DAYS[0], value: 0 },
    { at: DAYS[1], value: 50 },
    { at: DAYS[2], value: 100, isHere: true }
  ]

  it("has its points at their times and values", () => {
    const { $, dots, x, y } = drawn({ moments })
    const [first = 0, second = 0, third = 0] = dots.map(x)
    expect((second - first) / (third - first)).toBeCloseTo(1 / 4, 5)
    const [axis, middle, top] = [$(".plot-axis"), $(".plot-grid").last(), $(".plot-grid").first()].map((line) =>
      Number(line.attr("y1"))
    )
    expect(dots.map(y)).toEqual([axis, middle, top])
    // The box that the line is stretched over.
    const [from, height] = ["y", "height"].map((name) => Number($("svg svg").attr(name)))
    expect([top, axis]).toEqual([from, (from ?? 0) + (height ?? 0)])
    expect(dots.map((dot) => $(dot).find("title").text())).toEqual([
      "1 Jan 2026: 0",
      "2 Jan 2026: 50",
      "5 Jan 2026: 100"
    ])
  })

  it("draws its line through them", () => {
    const { $, dots, x } = drawn({ moments })
    const points = ($("polyline").attr("points") ?? "").split(" ").map((point) => point.split(",").map(Number))
    expect(points).toEqual(dots.map((dot, index) => [x(dot), 100 - (moments[index]?.value ?? 0)]))
  })

  it("has a description for screen readers, with marks among the points", () => {
    const { $ } = drawn({ moments, marks: [{ at: "2026-01-03T00:00:00Z", label: "Rubric 2.0.0" }] })
    expect($(`#${$("svg").attr("aria-describedby") ?? ""}`).text()).toBe(
      "1 Jan 2026: 0; 2 Jan 2026: 50; 3 Jan 2026: Rubric 2.0.0; 5 Jan 2026: 100"
    )
  })

  it("shows times of day if all points are of one day", () => {
    const { $ } = drawn({
      moments: [
        { at: "2026-01-01T08:00:00Z", value: 1 },
        { at: "2026-01-01T09:30:00Z", value: 2 }
      ]
    })
    expect(
      $("svg > text")
        .toArray()
        .slice(-2)
        .map((text) => $(text).text())
    ).toEqual(["1 Jan, 08:00", "1 Jan, 09:30"])
  })

  it("tells the time of each point if two are of one day", () => {
    const twice = ["2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T12:30:00Z"].map((at, index) => ({
      at,
      value: 40 + index
    }))
    const { $, dots } = drawn({ moments: twice })
    expect(dots.map((dot) => $(dot).find("title").text())).toEqual([
      "20 Nov 2026, 10:00 UTC: 40",
      "21 Nov 2026, 10:00 UTC: 41",
      "21 Nov 2026, 12:30 UTC: 42"
    ])
  })

  it("shows a single point in the middle", () => {
    const { $, dots, x } = drawn({ moments: [{ at: DAYS[0], value: 70 }] })
    expect(dots.map(x)).toEqual([50])
    expect(
      $("svg > text")
        .toArray()
        .map((text) => $(text).text())
    ).toEqual(["100 points", "50", "0", "70", "1 Jan 2026"])
  })

  it("draws thousands of points", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      value: index % 101
    }))
    const { dots, x } = drawn({ moments: many })
    expect([dots.length, Math.min(...dots.map(x)) >= 0, Math.max(...dots.map(x)) <= 100]).toEqual([10_000, true, true])
  })
})

describe("marks", () => {
  const moments = [
    { at: DAYS[0], value: 1 },
    { at: DAYS[2], value: 2 }
  ]

  it("are drawn at their times, with labels within the chart", () => {
    const { $ } = drawn({
      moments,
      marks: [
        { at: DAYS[0], label: "first" },
        { at: DAYS[2], label: "last" }
      ]
    })
    expect(
      $(".mark")
        .toArray()
        .map((mark) => [
          $(mark).find("text").text(),
          $(mark).find("text").attr("text-anchor"),
          $(mark).find("line").attr("x1")
        ])
    ).toEqual([
      ["last", "end", "98%"],
      ["first", "start", "9%"]
    ])
  })

  it("close to each other have the label of the newest only", () => {
    const { $ } = drawn({
      moments,
      marks: ["2026-01-03T00:00:00Z", "2026-01-03T01:00:00Z"].map((at, index) => ({ at, label: `Rubric ${index}` }))
    })
    expect([
      $(".plot-mark").length,
      $(".mark text")
        .toArray()
        .map((text) => $(text).text())
    ]).toEqual([2, ["Rubric 1"]])
  })

  it("are escaped", () => {
    const { $ } = drawn({ moments, marks: [{ at: DAYS[1], label: `<script>\u202e${"x".repeat(1_000)}` }] })
    expect($("script").length).toBe(0)
    expect($(".mark text").text()).toMatch(/^<script> x{30}…$/)
  })
})
