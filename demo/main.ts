// Starts the edge and the demo shop in one process (`npm start`). The edge serves the shop at `/`.

import { join } from 'node:path'
import { runUntilSignal } from '../edge/index.ts'
import { startDemo } from './start.ts'

const demoFile = join(process.env.DATA_DIR || 'data', 'demo.json')
const starting = startDemo(process.env)
runUntilSignal(starting)
starting.then(
  ({ demo, publicUrl, engine }) => {
    const signIn = `${publicUrl}/sign-in`
    const sites =
      demo === null
        ? [`Open   ${signIn}`]
        : [`Demo   ${publicUrl}/`, `       Dashboard: ${signIn} (account: "dashboard" in ${demoFile})`]
    const lines = [...sites, `API    ${publicUrl}/docs`, `Store  ${engine}`]
    process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
