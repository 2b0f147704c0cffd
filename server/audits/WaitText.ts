import type { Rate } from "../../engine/limit/RateSpec.ts"

/** A span in words, in its two largest units, rounded up so that a wait is never too short: `23 hours and 40 minutes`, `1 minute`. */
export const waitText = (seconds: number): string => {
  if (seconds < 60) return unitText(seconds, "second")
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return unitText(minutes, "minute")
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours >= 48) return unitText(Math.ceil(hours / 24), "day")
  return rest === 0 ? unitText(hours, "hour") : `${unitText(hours, "hour")} and ${unitText(rest, "minute")}`
}

/** How long ago something was, in its largest unit: `20 minutes ago`, `just now`. */
export const agoText = (seconds: number): string => {
  if (seconds < 60) return "just now"
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${unitText(minutes, "minute")} ago`
  return minutes < 48 * 60
    ? `${unitText(Math.floor(minutes / 60), "hour")} ago`
    : `${unitText(Math.floor(minutes / 1_440), "day")} ago`
}

/** `once every 10 minutes`, `3 times every hour`. */
export const everyText = ({ amount, windowMs }: Rate): string => {
  const span = waitText(Math.round(windowMs / 1_000)).replace(/^1 (second|minute|hour|day)$/, "$1")
  return `${amount === 1 ? "once" : `${amount} times`} every ${span}`
}

const unitText = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`
