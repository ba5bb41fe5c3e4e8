// Keeps in the browser as which user of each environment the person receives tests.

const KEPT_AS = 'nc-dashboard-own-users'

export function keepOwnUser(environmentId: string, userId: string): void {
  localStorage.setItem(KEPT_AS, JSON.stringify({ ...readKept(), [environmentId]: userId }))
}

/** @returns Their id; they may be gone by now. */
export const ownUser = (environmentId: string): string | undefined => readKept()[environmentId]

function readKept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
