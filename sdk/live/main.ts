// Starts the servers of the suite for a runner in another language: prints the target as one line of JSON, and stops
// both servers when its input ends, so with the process of the runner.

import { startLive } from './live.ts'

const live = await startLive()
process.stdout.write(`${JSON.stringify(live.target)}\n`)
process.stdin.resume()
process.stdin.on('close', () => void live.stop().then(() => process.exit(0)))
