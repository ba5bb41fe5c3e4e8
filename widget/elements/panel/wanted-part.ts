// A part of the panel that is fetched when it is first wanted.

export interface WantedPart<T> {
  /** Undefined until it is there. */
  readonly made: T | undefined
  want(): void
}

/** What cannot be had now is asked for again with the next wish. */
export function wantedPart<T>(load: () => Promise<T> | undefined, onMade: () => void): WantedPart<T> {
  let made: T | undefined
  let isAsked = false
  const ask = async (): Promise<void> => {
    isAsked = true
    made = await load()?.catch(() => undefined)
    isAsked = false
    if (made !== undefined) onMade()
  }
  return {
    get made() {
      return made
    },
    want: () => {
      if (made === undefined && !isAsked) void ask()
    },
  }
}
