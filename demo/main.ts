// Starts the edge and the demo shop in one process (`npm start`). The edge serves the shop at `/`.

import { runUntilSignal } from '../edge/index.ts'
import { startDemo } from './start.ts'

const starting = startDemo(process.env)
runUntilSignal(starting)
starting.then(
  (edge) => {
    const lines = [`  Demo   ${edge.publicUrl}/`, `  API    ${edge.publicUrl}/docs`, `  Store  ${edge.engine}`]
    process.stdout.write(`\n${lines.join('\n')}\n\n`)
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
