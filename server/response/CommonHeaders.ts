export const JSON_TYPE = "application/json"

export const NO_STORE = { "cache-control": "no-store" } as const
