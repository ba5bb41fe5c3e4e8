// Lists the benchmarks with their minutes on a quiet machine of two cores.

import type { Benchmark, Profile } from './benchmark.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { backup } from './runs/backup.ts'
import { connectors } from './runs/connectors.ts'
import { email } from './runs/email.ts'
import { engines } from './runs/engines.ts'
import { fairness } from './runs/fairness.ts'
import { fanOut } from './runs/fan-out.ts'
import { funnel } from './runs/funnel.ts'
import { growth } from './runs/growth.ts'
import { history } from './runs/history.ts'
import { hostile } from './runs/hostile.ts'
import { idleMemory } from './runs/idle-memory.ts'
import { latency } from './runs/latency.ts'
import { mailFanOut } from './runs/mail-fan-out.ts'
import { orchestrator } from './runs/orchestrator.ts'
import { overload } from './runs/overload.ts'
import { pushes } from './runs/pushes.ts'
import { reading } from './runs/reading.ts'
import { retention } from './runs/retention.ts'
import { rotation } from './runs/rotation.ts'
import { sockets } from './runs/sockets.ts'
import { targeted } from './runs/targeted.ts'
import { track } from './runs/track.ts'
import { widget } from './widget/widget.ts'

export interface Planned {
  benchmark: Benchmark
  /** Expected duration. */
  minutes: Record<Profile, number>
  /** Additional minutes when no earlier benchmark of the run has stored these messages. */
  seeding?: Record<Profile, number>
  /** Leaves it out of these profiles unless it is named: the quick one must end within ten minutes, the long one within an hour. */
  namedOnlyIn?: readonly Profile[]
}

const plan = (benchmark: Benchmark, quick: number, full: number, more: Partial<Planned> = {}): Planned => ({
  benchmark,
  minutes: { rehearsal: Math.min(quick, 0.5), quick, full },
  ...more,
})

/** Storing a million messages in each engine and copying them; the quick profile stores 50,000. */
const STORED = { rehearsal: 0, quick: 0.3, full: 4 }

export const BENCHMARKS: Planned[] = [
  plan(track, 0.9, 3.9),
  plan(engines, 0.5, 2.1),
  plan(latency, 0.4, 1.4),
  plan(growth, 0.5, 2.8, { seeding: STORED, namedOnlyIn: ['quick'] }),
  plan(reading, 0.4, 2.6, { seeding: STORED }),
  plan(history, 12, 70, { namedOnlyIn: ['quick', 'full'] }),
  plan(funnel, 0.4, 1.3),
  plan(fanOut, 0.3, 1),
  plan(targeted, 0.9, 4),
  plan(sockets, 1.1, 2.4),
  plan(hostile, 3, 3, { namedOnlyIn: ['quick', 'full'] }),
  plan(email, 1.2, 3, { namedOnlyIn: ['quick', 'full'] }),
  plan(connectors, 1, 3, { namedOnlyIn: ['quick', 'full'] }),
  plan(mailFanOut, 5, 20, { namedOnlyIn: ['quick', 'full'] }),
  plan(pushes, 0.4, 1.5),
  plan(idleMemory, 1.1, 1.1),
  plan(orchestrator, 1.3, 16),
  plan(fairness, 6, 6.5, { namedOnlyIn: ['quick'] }),
  plan(retention, 0.6, 1.6),
  plan(rotation, 0.2, 0.7),
  plan(backup, 0.3, 1.3),
  plan(overload, 0.2, 1.7),
  plan(widget, 1.2, 3.8, { namedOnlyIn: ['quick'] }),
  plan(dashboard, 3, 5, { seeding: { rehearsal: 0, quick: 2, full: 2 }, namedOnlyIn: ['quick', 'full'] }),
]

/** Selects benchmarks by name; without names all, or all that the profile does not leave out. */
export function chooseBenchmarks(names: string[], profile: Profile): Planned[] {
  if (names.length > 0) return BENCHMARKS.filter(({ benchmark }) => names.includes(benchmark.name))
  return BENCHMARKS.filter(({ namedOnlyIn = [] }) => !namedOnlyIn.includes(profile))
}
