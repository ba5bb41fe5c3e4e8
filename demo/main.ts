// Starts the edge and the demo shop in one process (`npm start`). The edge serves the shop at `/`.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSettings, RELEASE, type RunningEdge, runUntilSignal } from '../edge/index.ts'
import { startDemo } from './start.ts'

if (process.argv.includes('--version')) {
  process.stdout.write(`${RELEASE}\n`)
  process.exit()
}
let demoFile = ''
const starting = start()
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

async function start(): Promise<RunningEdge> {
  const { dataDir, databaseUrl } = parseSettings(process.env)
  const folder = resolve(dataDir)
  demoFile = join(folder, 'demo.json')
  if (databaseUrl === null) {
    const does = existsSync(join(folder, 'store.db')) ? 'Using the data in' : 'Creating the store in'
    process.stdout.write(`${does} ${folder}\n`)
  }
  return startDemo(process.env)
}
