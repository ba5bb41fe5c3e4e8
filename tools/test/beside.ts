// Runs phases beside each other where there is room: those that mostly wait share the machine, others have it for themselves.

/** One more than the cores that the tests count on: what waits leaves them to others. What needs them all takes all seats (docs/decisions/0204). */
export const SEATS = 3

/**
 * Starts each in its turn as soon as as many seats are free as it takes, none before the one that stands before it. `tell`
 * hears of each end in the order of the list.
 */
export async function runBeside<Phase extends { seats: number }, Result>(
  phases: readonly Phase[],
  run: (phase: Phase) => Promise<Result>,
  tell: (phase: Phase, result: Result) => void,
): Promise<void> {
  const ended = new Map<Phase, Result>()
  const running = new Set<Promise<void>>()
  let free = SEATS
  let told = 0
  const begin = async (phase: Phase): Promise<void> => {
    free -= phase.seats
    ended.set(phase, await run(phase))
    free += phase.seats
    for (let next = phases[told]; next !== undefined && ended.has(next); next = phases[++told]) {
      tell(next, ended.get(next) as Result)
    }
  }
  for (const phase of phases) {
    while (free < phase.seats) await Promise.race(running)
    const work: Promise<void> = begin(phase).finally(() => running.delete(work))
    running.add(work)
  }
  await Promise.all(running)
}
