// Puts back what was in hand when a process ended, until this process has run for a while.

interface Claimed {
  crashes: number
}

/**
 * Wraps a claim: before `restsUntil` (epoch ms) claims with a crash are due then. A process that is killed again and again
 * soon after its start would else count its ends against the same innocent work, which it handles first of all.
 */
export function restAfterStart<C extends Claimed, Rest extends unknown[]>(
  claim: (now: number, ...rest: Rest) => Promise<C[]>,
  restsUntil: number,
  putBack: (claims: C[], dueAt: number) => Promise<void>,
): (now: number, ...rest: Rest) => Promise<C[]> {
  return async (now, ...rest) => {
    const claimed = await claim(now, ...rest)
    const crashed = now < restsUntil ? claimed.filter(({ crashes }) => crashes > 0) : []
    if (crashed.length === 0) return claimed
    await putBack(crashed, restsUntil)
    return claimed.filter((one) => !crashed.includes(one))
  }
}
