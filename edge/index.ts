// The package's root: how another process starts an edge inside itself (the demo does).

export type { DemoFile } from './flow/seed-demo.ts'
export type { Site } from './http/http.ts'
export { type RunningEdge, type ServeOptions, startEdge } from './serve.ts'
export { runUntilSignal } from './signals.ts'
