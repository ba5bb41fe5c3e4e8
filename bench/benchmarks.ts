// The one list of benchmarks. A new one: a file in runs/ that exports a Benchmark, or a program of its own, and a line here.

import type { Benchmark } from './benchmark.ts'
import { programBenchmark } from './program.ts'
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
import { reading } from './runs/reading.ts'
import { retention } from './runs/retention.ts'
import { rotation } from './runs/rotation.ts'
import { targeted } from './runs/targeted.ts'
import { track } from './runs/track.ts'

export const BENCHMARKS: Benchmark[] = [
  track,
  orchestrator,
  engines,
  latency,
  growth,
  reading,
  funnel,
  fanOut,
  fairness,
  targeted,
  retention,
  rotation,
  idleMemory,
  backup,
  overload,
  programBenchmark('sockets', 'memory of idle sockets, ticks of the heads, a storm of reconnects', ({ isFull }) => [
    'bench/sockets.ts',
    isFull ? '15000' : '5000',
  ]),
  programBenchmark('pushes', 'pushes from node to node, four ways', ({ isFull }) => [
    'bench/fanout-ways.ts',
    isFull ? '3' : '1',
  ]),
]
