// Computes the time budget of a run: the plan that is printed before it, and the limit of each benchmark.

import type { Profile } from './benchmark.ts'
import type { Planned } from './benchmarks.ts'

/** Leaves half a minute of the ten for building and for stopping servers. */
const QUICK_MINUTES = 9.5
/** A benchmark ends after this many times its expected time plus a minute. */
const PATIENCE = 3
const SLACK_MINUTES = 1
/** Longer than needed on a quiet machine, because rehearsals run on busy ones. */
const REHEARSAL_MINUTES = 8

type Timed = Pick<Planned, 'minutes' | 'seeding'>

/** Returns the expected minutes of a benchmark within a run: the first one that needs the messages stores them. */
export function minutesOf(planned: Timed, all: Timed[], profile: Profile): number {
  const isFirst = all.find(({ seeding }) => seeding !== undefined) === planned
  return planned.minutes[profile] + (isFirst ? (planned.seeding?.[profile] ?? 0) : 0)
}

/**
 * Returns the minutes that this benchmark may take; undefined when no time is left. `gone`: minutes since the run
 * began.
 */
export function limitOf(
  { minutes, seeding }: Timed,
  profile: Profile,
  isWhole: boolean,
  gone: number,
): number | undefined {
  // The benchmark that should have stored the messages may have failed.
  const expected = minutes[profile] + (seeding?.[profile] ?? 0)
  const most = profile === 'rehearsal' ? REHEARSAL_MINUTES : expected * PATIENCE + SLACK_MINUTES
  if (profile !== 'quick' || !isWhole) return most
  const left = QUICK_MINUTES - gone
  return left < expected ? undefined : Math.min(most, left)
}

/** Describes the benchmarks of a run, one line for each, and their sum. */
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
