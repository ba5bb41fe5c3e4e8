// Variables that are no settings and read like one: a DATABSE_URL that nobody heard of would leave the server on a file.

export interface Slip {
  /** As it stands in the environment. */
  name: string
  /** The setting that it reads like. */
  meant: string
}

/** Shorter names are near to too much that is somebody else's. */
const LEAST_LENGTH = 6
/** From this length on two slips are told. */
const LONG = 9

/** In the order of the environment. An empty variable counts as unset. */
export function findSlips(settings: readonly string[], env: Record<string, string | undefined>): Slip[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (settings.includes(name) || value === undefined || value.trim() === '') return []
    const meant = settings.find((setting) => isNear(bare(name), bare(setting)))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

function isNear(name: string, setting: string): boolean {
  if (setting.length < LEAST_LENGTH) return false
  const most = setting.length < LONG ? 1 : 2
  return Math.abs(name.length - setting.length) <= most && distance(name, setting) <= most
}

function bare(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** How many letters differ, are missing or are too many (Levenshtein). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...left].entries()) {
    const next = [at + 1]
    for (const [column, other] of [...right].entries()) {
      const swapped = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
