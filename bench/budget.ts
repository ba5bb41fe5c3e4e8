// How long a run may take: the plan that is printed before it, and the limit of each benchmark, so that none goes on for ever.

import type { Profile } from './benchmark.ts'
import type { Planned } from './benchmarks.ts'

/** The quick profile ends within ten minutes: the rest is for building and for stopping servers. */
const QUICK_MINUTES = 9.5
/** Past this many times its expected time, and a minute, a benchmark is ended. */
const PATIENCE = 3
const SLACK_MINUTES = 1
/** A rehearsal is for busy machines. */
const REHEARSAL_MINUTES = 8

type Timed = Pick<Planned, 'minutes' | 'seeding'>

/** What one is expected to take in a run of these: the first that wants them stores the messages. */
export function minutesOf(planned: Timed, all: Timed[], profile: Profile): number {
  const isFirst = all.find(({ seeding }) => seeding !== undefined) === planned
  return planned.minutes[profile] + (isFirst ? (planned.seeding?.[profile] ?? 0) : 0)
}

/** Minutes that this benchmark may take; undefined: there is no time left for it. `gone`: minutes since the run began. */
export function limitOf(
  { minutes, seeding }: Timed,
  profile: Profile,
  isWhole: boolean,
  gone: number,
): number | undefined {
  // Whoever was to store the messages may have failed.
  const expected = minutes[profile] + (seeding?.[profile] ?? 0)
  const most = profile === 'rehearsal' ? REHEARSAL_MINUTES : expected * PATIENCE + SLACK_MINUTES
  if (profile !== 'quick' || !isWhole) return most
  const left = QUICK_MINUTES - gone
  return left < expected ? undefined : Math.min(most, left)
}

/** What will run, a line for each, and the sum. */
export function describePlan(planned: Planned[], profile: Profile): string[] {
  const minutes = planned.map((one) => minutesOf(one, planned, profile))
  const sum = minutes.reduce((total, one) => total + one, 0)
  return [
    ...planned.map(
      ({ benchmark }, at) =>
        `${(minutes[at] ?? 0).toFixed(1).padStart(5)} min  ${benchmark.name.padEnd(12)} ${benchmark.measures}`,
    ),
    `${sum.toFixed(1).padStart(5)} min  in all, ${profile} profile, on a quiet machine of two cores`,
  ]
}
