// Shares the slots of mails with fetched files among environments: one whose files do not come delays no other.

/** Mails whose files are in memory at a time. */
const SLOTS = 8
/** Mails of one environment that wait in memory. */
const MAX_WAITING = 8

export interface FileSlots {
  /** Runs `work` when its environment may have a slot. @returns undefined without calling it when too many wait already */
  run<T>(environmentId: number, work: () => Promise<T>): Promise<T> | undefined
}

interface Environment {
  busy: number
  waiting: (() => void)[]
}

export function createFileSlots(): FileSlots {
  const environments = new Map<number, Environment>()
  let free = SLOTS

  /** An environment has at most as many slots as it leaves free: half of them alone, and fewer beside others. */
  function findNext(): Environment | undefined {
    let next: Environment | undefined
    for (const one of environments.values()) {
      if (one.waiting.length > 0 && one.busy < free && one.busy < (next?.busy ?? SLOTS)) next = one
    }
    return next
  }

  function giveSlots(): void {
    for (let next = findNext(); next !== undefined; next = findNext()) {
      free--
      next.busy++
      next.waiting.shift()?.()
    }
  }

  return {
    run(environmentId, work) {
      const environment = environments.get(environmentId) ?? { busy: 0, waiting: [] }
      if (environment.waiting.length >= MAX_WAITING) return undefined
      environments.set(environmentId, environment)
      return (async () => {
        const slot = new Promise<void>((resolve) => environment.waiting.push(resolve))
        giveSlots()
        await slot
        try {
          return await work()
        } finally {
          free++
          environment.busy--
          if (environment.busy === 0 && environment.waiting.length === 0) environments.delete(environmentId)
          giveSlots()
        }
      })()
    },
  }
}
