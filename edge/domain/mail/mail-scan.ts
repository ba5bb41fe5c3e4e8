// Tells the fetches of a program, which follows the links of a mail before its reader does, from those of a person.

/** A fetch of a mail's pixel or of one of its links, with a browser's name. */
export interface MailFetch {
  /** Epoch ms. */
  at: number
  /** Equal for the same link; null: the pixel. */
  link: string | null
  /** Equal for the same network; null: not known. */
  network: string | null
}

/** The fetches that are kept of a mail: its latest ones. */
export const KEPT_FETCHES = 16

/** Fetches with shorter pauses between them are one series. */
const PAUSE_MS = 2000
/** A program fetches on arrival. Until then a person has hardly seen the mail. */
const EARLY_MS = 10_000
/** Nobody chooses three links in this time. */
const RUSH_MS = 1000
/** No two of the signs below suffice: each of them is also seen of people. */
const POINTS_OF_A_PROGRAM = 3

/**
 * Judges the series that a fetch belongs to by its links, pace, time, networks and order (docs/email.md).
 * @param fetches Of one mail, in the order of their times
 * @param arrivedAt When the mail was accepted, or delivered where that is known (epoch ms)
 * @returns The first and last time of the series, where a program made it; undefined where a person may have made it
 */
export function findScan(
  fetches: readonly MailFetch[],
  fetch: MailFetch,
  arrivedAt: number,
): { from: number; to: number } | undefined {
  const series = seriesOf(fetches, fetch)
  const clicks = series.filter(({ link }) => link !== null)
  const [first] = series
  const [firstClick] = clicks
  if (first === undefined || firstClick === undefined) return undefined
  const times = timesOfLinks(clicks)
  const networks = new Set(clicks.flatMap(({ network }) => network ?? []))
  // A proxy of the mail program may fetch the pixel, so its network says nothing.
  const pixel = fetches.findIndex(({ link }) => link === null)
  const signs = [
    times.length >= 2,
    times.length >= 3,
    times.some((at, nth) => nth >= 2 && at - (times[nth - 2] as number) <= RUSH_MS),
    first.at - arrivedAt < EARLY_MS,
    networks.size >= 2,
    pixel === -1 || pixel > fetches.indexOf(firstClick),
  ]
  if (signs.filter(Boolean).length < POINTS_OF_A_PROGRAM) return undefined
  return { from: first.at, to: series.at(-1)?.at ?? first.at }
}

function seriesOf(fetches: readonly MailFetch[], fetch: MailFetch): readonly MailFetch[] {
  const isApart = (nth: number) => (fetches[nth]?.at ?? 0) - (fetches[nth - 1]?.at ?? 0) >= PAUSE_MS
  let from = fetches.indexOf(fetch)
  let to = from + 1
  while (from > 0 && !isApart(from)) from--
  while (to < fetches.length && !isApart(to)) to++
  return fetches.slice(from, to)
}

/** @returns The time of the first fetch of each link */
function timesOfLinks(clicks: readonly MailFetch[]): number[] {
  const times = new Map<string | null, number>()
  for (const { link, at } of clicks) if (!times.has(link)) times.set(link, at)
  return [...times.values()]
}
