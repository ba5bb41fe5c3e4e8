// What the panel says of a deed, for five seconds, with a way to take it back.

interface Way {
  undo?: () => void
  /** What did not come can be asked for again. */
  retry?: () => void
  /** It can no more be undone. */
  settle?: () => void
}

/** `key` is that of a word. */
export interface Notice extends Way {
  key: string
}

export interface Notices {
  readonly shown: Notice | undefined
  /** Says it and shows it. */
  tell(key: string, way?: Way): void
  /** Takes the deed back that is shown. */
  undo(): void
  /** Ends what is shown: it can no more be undone. */
  end(): void
}

const SHOWN_MS = 5_000

export interface NoticesDeps {
  announce(key: string): void
  update(): void
  /** Somebody points at it or has the focus in it: it stays. */
  isHeld(): boolean
}

export function createNotices(deps: NoticesDeps): Notices {
  let shown: Notice | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => (deps.isHeld() ? wait() : end()), SHOWN_MS)
  }
  const end = (): void => {
    clearTimeout(timer)
    const last = shown
    shown = undefined
    last?.settle?.()
    deps.update()
  }
  return {
    get shown() {
      return shown
    },
    tell: (key, way) => {
      end()
      shown = { key, ...way }
      deps.announce(key)
      wait()
      deps.update()
    },
    undo: () => {
      const undone = shown
      shown = undefined
      end()
      undone?.undo?.()
    },
    end,
  }
}
