// What the panel says of a deed, for five seconds, with a way to take it back (issue, widget: undo).

/** `key` is that of a word. */
export interface Notice {
  key: string
  undo: (() => void) | undefined
  /** What did not come can be asked for again. */
  retry?: (() => void) | undefined
}

export interface Notices {
  readonly shown: Notice | undefined
  /** Says it and shows it. `settle` is called when it can no more be undone; `isLeaving` when the page goes. */
  tell(key: string, way?: { undo?: () => void; retry?: () => void; settle?: (isLeaving: boolean) => void }): void
  /** Takes the deed back that is shown. */
  undo(): void
  /** Ends what is shown: it can no more be undone. */
  end(isLeaving?: boolean): void
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
  let settle: ((isLeaving: boolean) => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => (deps.isHeld() ? wait() : end()), SHOWN_MS)
  }
  const end = (isLeaving = false): void => {
    clearTimeout(timer)
    const last = settle
    shown = settle = undefined
    last?.(isLeaving)
    deps.update()
  }
  return {
    get shown() {
      return shown
    },
    tell: (key, way) => {
      end()
      shown = { key, undo: way?.undo, retry: way?.retry }
      settle = way?.settle
      deps.announce(key)
      wait()
      deps.update()
    },
    undo: () => {
      const undo = shown?.undo
      settle = undefined
      end()
      undo?.()
    },
    end,
  }
}
