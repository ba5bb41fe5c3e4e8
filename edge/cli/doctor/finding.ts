// What the doctor says of one matter.

export interface Finding {
  check: string
  /** `note`: worth a look, and the service works; `wrong`: something does not or soon will not. */
  verdict: 'ok' | 'note' | 'wrong'
  /** What it is and what helps; never a value of a secret. */
  words: string
}

export function finding(check: string, verdict: Finding['verdict'], words: string): Finding {
  return { check, verdict, words }
}

/** An error's own words, or those of what caused it. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error)
}
