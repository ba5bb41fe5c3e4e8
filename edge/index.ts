// Exports the start of an edge, so that another process can run it inside itself (the demo does).

export { isOnlyLocal, parseSettings } from './config.ts'
export type { Site } from './http/kernel/http.ts'
export { isLoopback } from './lib/loopback.ts'
export { RELEASE } from './lib/release.ts'
export { readNames, readWritten } from './lib/settings/written-value.ts'
export { DEMO_CAMPAIGNS } from './seed/campaigns.ts'
export type { DemoFile } from './seed/demo-file.ts'
export { type RunningEdge, type ServeOptions, startEdge } from './serve.ts'
export { onStopSignal, runUntilSignal } from './signals.ts'
