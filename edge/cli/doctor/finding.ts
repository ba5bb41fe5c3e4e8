// Declares a finding of `nc doctor`.

export interface Finding {
  check: string
  /** `note`: worth a look, and the service works; `wrong`: something does not or soon will not. */
  verdict: 'ok' | 'note' | 'wrong'
  /** The problem and its remedy; never a secret value. */
  words: string
}

export function finding(check: string, verdict: Finding['verdict'], words: string): Finding {
  return { check, verdict, words }
}

/** @returns The message of an error, or of its cause. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)
}
