// The one list of benchmarks, with the minutes that each takes on a quiet machine of two cores. A new one: a file in runs/ that
// exports a Benchmark, and a line here.

import type { Benchmark, Profile } from './benchmark.ts'
import { backup } from './runs/backup.ts'
import { engines } from './runs/engines.ts'
import { fairness } from './runs/fairness.ts'
import { fanOut } from './runs/fan-out.ts'
import { funnel } from './runs/funnel.ts'
import { growth } from './runs/growth.ts'
import { idleMemory } from './runs/idle-memory.ts'
import { latency } from './runs/latency.ts'
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
  /** What it is expected to take, by itself. */
  minutes: Record<Profile, number>
}

const plan = (benchmark: Benchmark, quick: number, full: number): Planned => ({
  benchmark,
  minutes: { rehearsal: Math.min(quick, 0.5), quick, full },
})

export const BENCHMARKS: Planned[] = [
  plan(track, 0.7, 3.0),
  plan(engines, 0.5, 2),
  plan(latency, 0.4, 1.4),
  plan(growth, 0.6, 5.6),
  plan(reading, 0.4, 3),
  plan(funnel, 0.4, 1.5),
  plan(fanOut, 0.3, 1),
  plan(targeted, 0.5, 3),
  plan(sockets, 0.9, 2.2),
  plan(pushes, 0.4, 1.2),
  plan(idleMemory, 1.1, 1.1),
  plan(orchestrator, 1.0, 8),
  plan(fairness, 0.7, 1.6),
  plan(retention, 0.3, 1.6),
  plan(rotation, 0.2, 0.7),
  plan(backup, 0.3, 1.3),
  plan(overload, 0.2, 1.7),
  plan(widget, 1.2, 3.8),
]
