// Keeps in the browser to which users a person sends tests in an environment.

export interface TestRecipients {
  /** The user whose inbox is the person's own; empty: not chosen yet. */
  own: string
  /** Users of other people who look at tests. */
  others: readonly string[]
}

const KEPT_AS = 'nc-dashboard-tests'
/** Tests go to colleagues. */
export const MOST_OTHERS = 20

export function keptRecipients(environmentId: string): TestRecipients {
  const { own = '', others = [] } = readKept()[environmentId] ?? {}
  return { own, others }
}

export function keepRecipients(environmentId: string, recipients: TestRecipients): void {
  localStorage.setItem(KEPT_AS, JSON.stringify({ ...readKept(), [environmentId]: recipients }))
}

function readKept(): Record<string, Partial<TestRecipients>> {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Record<string, Partial<TestRecipients>>
  } catch {
    return {}
  }
}
