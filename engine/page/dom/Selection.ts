import { load } from "cheerio/slim"

/**
 * Cheerio over elements of a tree that was parsed within our limits; nothing is parsed again. Select among an element's
 * children, or filter what `DomWalk` has indexed by name. A selection over a whole document costs 0.4 ms of a page that
 * is read in 6 (400 corpus pages): ten of them would cost as much as all reading but parsing, so headings, links, code
 * and scripts come from the one walk.
 */
export const $ = load([])
