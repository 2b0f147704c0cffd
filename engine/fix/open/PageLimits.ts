/* Apart from what opens pages, so that a reader of plans does not load it. */

/** A site that is known to have fewer pages is opened whole on the command line. */
export const WHOLE_SITE = 300

/** As many pages as are opened at most, if all are wanted. */
export const MOST_PAGES = 2_000
