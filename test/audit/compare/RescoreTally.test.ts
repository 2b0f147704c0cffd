import { describe, expect, it } from "vitest"
import { decidingConditions, factsNamed } from "../../../engine/audit/compare/CriterionChange.ts"
import type { RescoredRun } from "../../../engine/audit/compare/Rescore.ts"
import { makeTally, SHOWN } from "../../../engine/audit/compare/RescoreTally.ts"

const rubric = { id: "small", version: "1.0.0", digest: "sha256:0" }

const run = (name: string, before: number, after: number): RescoredRun => ({
  _tag: "Rescored",
  name,
  site: `https://${name}.example`,
  date: "2026-01-01",
  replayed: false,
  reliable: true,
  synthetic: false,
  concerned: before !== after,
  trials: [],
  before: { rubric, score: before, verdict: before >= 50 ? "Good" : "Poor" },
  after: { score: after, verdict: after >= 50 ? "Good" : "Poor" },
  statuses: [
    {
      id: "A1",
      title: "Links",
      before: before === 0 ? null : "partial",
      after: before === after ? "partial" : "absent"
    }
  ],
  moves:
    before === after
      ? []
      : [
          {
            id: "A1",
            title: "Links",
            before: { status: "partial", score: 0, max: 60 },
            after: { status: "partial", score: after - before, max: 60 },
            conditionBefore: null,
            conditionAfter: null,
            facts: {},
            remeasured: null
          }
        ]
})

const summaryOf = (runs: ReadonlyArray<RescoredRun>) => {
  const tally = makeTally()
  for (const each of runs) tally.add(each)
  return tally.summary()
}

describe("runs added up", () => {
  it("tell how many rise and fall, by how much, and past which verdicts", () => {
    const summary = summaryOf([run("a", 60, 60), run("b", 60, 48), run("c", 48, 52), run("d", 10, 14)])
    expect(summary).toMatchObject({
      rescored: 4,
      raised: 2,
      lowered: 1,
      notComparable: 0,
      meanChange: -1,
      distribution: [
        { change: -12, runs: 1 },
        { change: 0, runs: 1 },
        { change: 4, runs: 2 }
      ],
      verdicts: [
        { from: "Good", to: "Poor", runs: 1, sites: [{ site: "https://b.example", before: 60, after: 48 }] },
        { from: "Poor", to: "Good", runs: 1, sites: [{ site: "https://c.example", before: 48, after: 52 }] }
      ],
      concerned: { runs: 3, of: 4 },
      criteria: [{ id: "A1", raised: 2, lowered: 1, points: -4 }]
    })
    expect(summary.largest.map(({ name }) => name)).toEqual(["b", "c", "d"])
  })

  it("keep the ten largest changes, falls before rises, and no more runs than a page shows", () => {
    const summary = summaryOf(Array.from({ length: 1_000 }, (_, index) => run(`n${index}`, 50, 50 + (index % 41) - 20)))
    expect(summary.largest).toHaveLength(10)
    expect(summary.largest.every(({ after }) => after.score === 30)).toBe(true)
    expect(summary.moved).toHaveLength(SHOWN)
  })

  it("tell of every criterion how many runs have which status, before and after", () => {
    expect(summaryOf([run("a", 60, 60), run("b", 60, 48), run("c", 0, 0)]).statuses).toEqual([
      {
        id: "A1",
        title: "Links",
        before: { present: 0, partial: 2, absent: 0, inconclusive: 0 },
        after: { present: 0, partial: 2, absent: 1, inconclusive: 0 }
      }
    ])
  })

  it("tell quantiles, ranks, inverted pairs and ties of each kind apart", () => {
    const unreliable = { ...run("e", 0, 90), reliable: false }
    const synthetic = { ...run("f", 5, 5), synthetic: true }
    const runs = [run("a", 60, 60), run("b", 58, 61), run("c", 40, 40), run("d", 40, 30), unreliable, synthetic]
    expect(summaryOf(runs).groups).toMatchObject([
      {
        kind: "reliable",
        runs: 4,
        raised: 1,
        lowered: 1,
        before: { p10: 40, p25: 40, p50: 40, p75: 58, p90: 60 },
        after: { p10: 30, p25: 30, p50: 40, p75: 60, p90: 61 },
        ranks: { changed: 3, inverted: 1, tiesBroken: 1, tiesMade: 0 }
      },
      { kind: "unreliable", runs: 1, meanChange: 90 },
      { kind: "synthetic", runs: 1, meanChange: 0 }
    ])
  })

  it("tell each reason once, with the sites that it moves", () => {
    const [a, b] = [run("a", 60, 48), run("b", 50, 38)]
    const other = { ...run("c", 60, 48), moves: a.moves.map((move) => ({ ...move, facts: { n: 2 } })) }
    expect(summaryOf([a, b]).reasons).toMatchObject([
      { runs: 2, points: -24, sameFacts: true, sites: ["https://a.example", "https://b.example"] }
    ])
    expect(summaryOf([a, b, other]).reasons).toMatchObject([{ runs: 3, sameFacts: false }])
  })

  it("tell of a criterion on trial the sites of each status and the spread of its facts", () => {
    const trial = (n: number, status: "present" | "absent" | "not_measured") => ({
      id: "B6",
      title: "Trial",
      points: 2,
      earns: 0,
      status,
      facts: status === "not_measured" ? null : { n, open: n > 2, kind: "x" }
    })
    const runs = [1, 2, 3, 4].map((n) => ({ ...run(`n${n}`, 1, 1), trials: [trial(n, n > 1 ? "present" : "absent")] }))
    expect(summaryOf([...runs, { ...run("no", 1, 1), trials: [trial(0, "not_measured")] }]).trials).toMatchObject([
      {
        id: "B6",
        statuses: { present: 3, absent: 1, not_measured: 1 },
        sites: { absent: ["https://n1.example"], not_measured: ["https://no.example"] },
        facts: [
          { name: "n", runs: 4, quartiles: [1, 1, 2, 3, 4] },
          { name: "open", held: 2 },
          { name: "kind", words: [{ word: "x", runs: 4 }] }
        ]
      }
    ])
  })

  it("are nothing where there are none", () => {
    expect(summaryOf([])).toMatchObject({ rescored: 0, meanChange: 0, distribution: [], largest: [] })
  })
})

describe("the conditions that decided", () => {
  const levels = [{ earns: 3, when: "facts.n >= 9" }, { earns: 1, when: "facts.n >= 3" }, { earns: 0 }]
  const looser = [{ earns: 3, when: "facts.n >= 5" }, { earns: 1, when: "facts.n >= 3" }, { earns: 0 }]

  it("of a fall are the one that held and the one that would have to", () => {
    expect(decidingConditions({ levels: looser, score: 3 }, { levels, score: 1 })).toEqual({
      before: { earns: 3, condition: "facts.n >= 5", held: true },
      after: { earns: 3, condition: "facts.n >= 9", held: false }
    })
  })

  it("of a rise are the one that failed and the one that holds", () => {
    expect(decidingConditions({ levels, score: 1 }, { levels: looser, score: 3 })).toEqual({
      before: { earns: 3, condition: "facts.n >= 9", held: false },
      after: { earns: 3, condition: "facts.n >= 5", held: true }
    })
  })

  it("of a level that earns more are the same", () => {
    const richer = [{ earns: 3, when: "facts.n >= 9" }, { earns: 2, when: "facts.n >= 3" }, { earns: 0 }]
    expect(decidingConditions({ levels, score: 1 }, { levels: richer, score: 2 })).toEqual({
      before: { earns: 1, condition: "facts.n >= 3", held: true },
      after: { earns: 2, condition: "facts.n >= 3", held: true }
    })
  })

  it("of a fall to nothing say what was missed", () => {
    expect(
      decidingConditions({ levels, score: 1 }, { levels: [{ earns: 3, when: "facts.n >= 9" }, { earns: 0 }], score: 0 })
    ).toEqual({
      before: { earns: 1, condition: "facts.n >= 3", held: true },
      after: { earns: 3, condition: "facts.n >= 9", held: false }
    })
  })

  it("name the facts that they read, and no others", () => {
    expect(
      factsNamed([{ earns: 1, condition: "facts.n >= 3 && facts.open", held: true }, null], { a: 1, n: 4, open: false })
    ).toEqual({ n: 4, open: false })
  })
})
