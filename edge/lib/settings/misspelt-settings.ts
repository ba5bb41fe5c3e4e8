// Finds misspelt settings among the environment variables: with DATABSE_URL the server would silently use SQLite.

import { distance } from '../edit-distance.ts'

export interface Misspelling {
  /** The name in the environment. */
  name: string
  /** The most similar setting. */
  meant: string
}

/** Shorter names resemble too many unrelated variables. */
const LEAST_LENGTH = 6
/** From this length on two wrong letters are accepted as a misspelling. */
const LONG = 9

/** Lists misspelt settings in the order of the environment. An empty variable counts as unset. */
export function findMisspeltSettings(
  settings: readonly string[],
  env: Record<string, string | undefined>,
): Misspelling[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (settings.includes(name) || value === undefined || value.trim() === '') return []
    const meant = settings.find((setting) => isSimilar(bare(name), bare(setting)))
    return meant === undefined ? [] : [{ name, meant }]
  })
}

function isSimilar(name: string, setting: string): boolean {
  if (setting.length < LEAST_LENGTH) return false
  const most = setting.length < LONG ? 1 : 2
  return Math.abs(name.length - setting.length) <= most && distance(name, setting) <= most
}

function bare(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '')
}
