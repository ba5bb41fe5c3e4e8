// A part of the panel that is fetched when it is first wanted.

export interface WantedPart<T> {
  /** Undefined until it is there. */
  readonly made: T | undefined
  /** It was wanted and could not be had. */
  readonly hasFailed: boolean
  want(): void
}

/** What cannot be had now is asked for again with the next wish. */
export function wantedPart<T>(
  load: () => Promise<T | undefined> | undefined,
  onMade: () => void,
  onFailed: () => unknown = () => {},
): WantedPart<T> {
  let made: T | undefined
  let [isAsked, hasFailed] = [false, false]
  const ask = async (): Promise<void> => {
    isAsked = true
    made = await load()?.catch(() => undefined)
    isAsked = false
    hasFailed = made === undefined
    if (hasFailed) onFailed()
    else onMade()
  }
  return {
    get made() {
      return made
    },
    get hasFailed() {
      return hasFailed
    },
    want: () => {
      if (made === undefined && !isAsked) void ask()
    },
  }
}
