// Bounds the contents of mails in memory: a mail may have half a million characters, and hundreds are claimed together.

export interface ContentRoom {
  /** Resolves when more contents may be loaded. */
  hasRoom(): Promise<void>
  /** Counts the content until `work` ends. */
  hold<T>(chars: number, work: Promise<T>): Promise<T>
}

export function createContentRoom(maxChars: number): ContentRoom {
  let held = 0
  let waiting: (() => void)[] = []
  return {
    async hasRoom() {
      while (held >= maxChars) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    async hold(chars, work) {
      held += chars
      try {
        return await work
      } finally {
        held -= chars
        if (held < maxChars) {
          for (const resume of waiting) resume()
          waiting = []
        }
      }
    },
  }
}
