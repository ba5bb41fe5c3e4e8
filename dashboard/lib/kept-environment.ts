// Keeps in the browser which environment of each organisation was shown last.

const KEPT_AS = 'nc-dashboard-environments'

export function keepEnvironment(org: string, id: string): void {
  localStorage.setItem(KEPT_AS, JSON.stringify({ ...readKept(), [org]: id }))
}

/** @returns Its id; it may be gone by now. */
export const keptEnvironment = (org: string): string | undefined => readKept()[org]

function readKept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
