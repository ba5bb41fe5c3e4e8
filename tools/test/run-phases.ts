// Runs phases in parallel where slots are free: phases that mostly wait share the machine, others run alone.

/** One more than the assumed cores, because waiting phases leave them free. A phase that needs all cores takes all slots. */
export const SLOTS = 3

/**
 * Starts each phase, in order, as soon as enough slots are free; no phase overtakes an earlier one.
 * Calls `onEnd` for each phase in the order of the list.
 */
export async function runPhases<Phase extends { slots: number }, Result>(
  phases: readonly Phase[],
  run: (phase: Phase) => Promise<Result>,
  onEnd: (phase: Phase, result: Result) => void,
): Promise<void> {
  const ended = new Map<Phase, Result>()
  const running = new Set<Promise<void>>()
  let free = SLOTS
  let reported = 0
  const begin = async (phase: Phase): Promise<void> => {
    free -= phase.slots
    ended.set(phase, await run(phase))
    free += phase.slots
    for (let next = phases[reported]; next !== undefined && ended.has(next); next = phases[++reported]) {
      onEnd(next, ended.get(next) as Result)
    }
  }
  for (const phase of phases) {
    while (free < phase.slots) await Promise.race(running)
    const work: Promise<void> = begin(phase).finally(() => running.delete(work))
    running.add(work)
  }
  await Promise.all(running)
}
