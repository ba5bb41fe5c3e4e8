// Counts ends of a process for a run beside a running edge, as the next start of that process would.

import { openExternalStore } from '../../cli/open-store.ts'
import { parseSettings } from '../../config.ts'
import { parseMark } from '../../domain/in-hand.ts'
import { systemClock } from '../../lib/clock.ts'
import { parseId } from '../../lib/id.ts'

/** Counts two: the run is given up as soon as it is due. */
export async function countTwoCrashes(
  settings: Record<string, string | undefined>,
  environment: string,
  runId: string,
): Promise<void> {
  const [environmentId, mark] = [parseId('environment', environment), parseMark(runId)]
  if (environmentId === undefined || mark === undefined) throw new Error(`not an id: ${environment} or ${runId}`)
  const stores = await openExternalStore(parseSettings(settings), systemClock)
  try {
    for (let crash = 0; crash < 2; crash++)
      await stores.givenUps.recordCrashes([{ ...mark, environmentId }], systemClock.now())
  } finally {
    await stores.close()
  }
}
