/** How tokens are estimated, as reports name it: no model is involved, so the same bytes give the same number. */
export const TOKEN_ESTIMATOR = "utf8-bytes/4"

const BYTES_PER_TOKEN = 4

/** Bytes of text as sent, without content coding, divided by 4 and rounded up: close to what tokenizers make of English text. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)
