// Starts the edge and the demo shop in one process (`npm start`). The edge serves the shop at `/`.

import { runUntilSignal } from '../edge/index.ts'
import { startDemo } from './start.ts'

const starting = startDemo(process.env)
runUntilSignal(starting)
starting.then(
  ({ demo, publicUrl, engine }) => {
    const site = demo === null ? `Open   ${publicUrl}/sign-in` : `Demo   ${publicUrl}/`
    const lines = [site, `API    ${publicUrl}/docs`, `Store  ${engine}`]
    process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
