import {
  count,
  type define,
  defineShare,
  defineSpecRule,
  metaContent,
  Schema,
  stringAt
} from "../../../engine/plugin/entry.ts"

export const hasOwner = defineShare({
  id: "has-owner",
  params: Schema.Struct({ name: Schema.String }),
  select: ({ name }) => `meta[name=${name}]`,
  where: (page, { name }, elements) => elements.length === 1 && metaContent(page, name) !== ""
})

export const infoOwner = defineSpecRule({
  id: "info-owner",
  at: "/info",
  where: (info) => stringAt(info, "x-owner") !== ""
})

/** As plain JavaScript has it: an object, an async measure and no budget. */
export const waits = {
  id: "waits",
  revision: 1,
  params: Schema.Struct({}),
  facts: { found: count("headings of the start page") },
  measure: async (site: Parameters<Parameters<typeof define>[0]["measure"]>[0]) => {
    const { pages } = await site.run(site.sample)
    return {
      facts: { found: pages[0]?.headings.length ?? 0 },
      findings: [{ good: true, message: "Found.", proof: site.base.exchange }]
    }
  }
}
