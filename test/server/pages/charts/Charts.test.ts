import { load } from "cheerio"
import { render } from "preact-render-to-string"
import { describe, expect, it } from "vitest"
import { barChart, histogram } from "../../../../server/pages/charts/Charts.ts"
import { grouped } from "../../../../engine/plugin/Wording.ts"

describe("a bar chart", () => {
  const bars = [
    { label: ".com", value: 400 },
    { label: ".dev", value: 100 },
    { label: "<b>.io\u202e</b>", value: 1 }
  ]
  const $ = load(render(barChart({ id: "tlds", title: "Sites by top-level domain", bars })))

  it("has bars in proportion to their values, with the values beside them", () => {
    const read = $("g")
      .toArray()
      .map((bar) => ({
        label: $(bar).find(".plot-label").text(),
        value: $(bar).find(".plot-value").text(),
        width: $(bar).find(".plot-bar").attr("width")
      }))
    expect(read).toEqual([
      { label: ".com", value: "400", width: "100%" },
      { label: ".dev", value: "100", width: "25%" },
      { label: "<b>.io </b>", value: "1", width: "0.25%" }
    ])
  })

  it("has a description for screen readers", () => {
    expect($("svg").attr("role")).toBe("img")
    expect($(`#${$("svg").attr("aria-labelledby") ?? ""}`).text()).toBe("Sites by top-level domain")
    expect($(`#${$("svg").attr("aria-describedby") ?? ""}`).text()).toBe(".com: 400; .dev: 100; <b>.io </b>: 1")
  })

  it("scales bars to a given maximum", () => {
    const half = load(
      render(
        barChart({
          id: "a",
          title: "A",
          full: 50,
          bars: [
            { label: "half", value: 25 },
            { label: "more than all", value: 80 }
          ]
        })
      )
    )
    expect(
      half(".plot-bar")
        .toArray()
        .map((bar) => half(bar).attr("width"))
    ).toEqual(["50%", "100%"])
  })

  it("truncates long labels", () => {
    const long = load(render(barChart({ id: "a", title: "A", bars: [{ label: "x".repeat(10_000), value: 1 }] })))
    expect(long(".plot-label").text().length).toBeLessThanOrEqual(40)
    expect(long("desc").text().length).toBeLessThan(500)
  })
})

describe("a histogram", () => {
  const bands = [
    { from: 0, to: 9, count: 0 },
    { from: 10, to: 19, count: 20 },
    { from: 20, to: 29, count: 12_345 },
    { from: 30, to: 39, count: 6_000 }
  ]
  const $ = load(
    render(histogram({ id: "scores", axes: { values: "Score", counts: "Sites" }, title: "Sites by score", bands }))
  )

  it("has bars in proportion to their counts", () => {
    const heights = $(".plot-block")
      .toArray()
      .map((bar) => Number($(bar).attr("height")))
    const tallest = Math.max(...heights)
    expect(heights.map((height) => Math.round(((height / tallest) * 12_345) / 100))).toEqual([0, 0, 123, 60])
    for (const bar of $(".plot-block").toArray())
      expect(Number($(bar).attr("y")) + Number($(bar).attr("height"))).toBe(Number($(".plot-axis").attr("y1")) - 0.5)
  })

  it("writes counts above them, abbreviated if long, and in full for screen readers", () => {
    expect(
      $(".plot-value")
        .toArray()
        .map((text) => $(text).text())
    ).toEqual(["20", "12k", "6000"])
    expect($("desc").text()).toBe(`0 to 9: 0; 10 to 19: 20; 20 to 29: ${grouped(12_345)}; 30 to 39: ${grouped(6_000)}`)
  })

  it("writes the bounds of its bands below, and what both axes show", () => {
    expect(
      $(".plot-tick")
        .toArray()
        .map((text) => $(text).text())
    ).toEqual(["Sites", "0", "10", "20", "30", "39", "Score"])
  })

  it("is flat if nothing is counted", () => {
    const none = load(
      render(
        histogram({
          id: "none",
          axes: { values: "Score", counts: "Sites" },
          title: "None",
          bands: [{ from: 0, to: 9, count: 0 }]
        })
      )
    )
    expect(none(".plot-block").attr("height")).toBe("0")
  })
})
